#include <arrow/io/file.h>
#include <parquet/column_reader.h>
#include <parquet/column_writer.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/file_writer.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "service/arrow/module_parts.h"
#include "service/arrow/recycling_pool.h"

namespace neardup {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{2} << 30;  // as of rows that are decided
constexpr std::int64_t kReadAtOnce = std::int64_t{256} << 10;
constexpr std::int64_t kLevelsAtOnce = 4096;
// Of strings that go to a writer at once: it looks at the size of a page after each call.
constexpr std::uint64_t kStringBytes = std::uint64_t{1} << 20;

// What Arrow's writer cannot write becomes zstd.
parquet::Compression::type codec_of(parquet::Compression::type codec) {
  switch (codec) {
    case parquet::Compression::UNCOMPRESSED:
    case parquet::Compression::SNAPPY:
    case parquet::Compression::GZIP:
    case parquet::Compression::BROTLI:
    case parquet::Compression::LZ4:
      return codec;
    default:
      return parquet::Compression::ZSTD;
  }
}

// Compression and dictionaries of each column as in the first row group.
std::shared_ptr<parquet::WriterProperties> properties(const parquet::FileMetaData& input,
                                                      arrow::MemoryPool* pool) {
  parquet::WriterProperties::Builder made;
  made.memory_pool(pool)->enable_page_checksum()->compression(parquet::Compression::ZSTD);
  if (input.num_row_groups() == 0) return made.build();
  const auto group = input.RowGroup(0);
  for (int column = 0; column < input.num_columns(); ++column) {
    const auto path = input.schema()->Column(column)->path();
    const auto chunk = group->ColumnChunk(column);
    made.compression(path, codec_of(chunk->compression()));
    chunk->has_dictionary_page() ? made.enable_dictionary(path) : made.disable_dictionary(path);
  }
  return made.build();
}

// A file that rows go to. Its errors say which.
class Part {
 public:
  Part(std::size_t number, const std::string& path, const parquet::FileMetaData& input,
       arrow::MemoryPool* pool)
      : number_(number) {
    write([&] {
      out_ = value_of(arrow::io::FileOutputStream::Open(path));
      const auto root =
          std::static_pointer_cast<parquet::schema::GroupNode>(input.schema()->schema_root());
      writer_ = parquet::ParquetFileWriter::Open(out_, root, properties(input, pool),
                                                 input.key_value_metadata());
    });
  }

  void begin_group() {
    write([&] { group_ = writer_->AppendRowGroup(); });
  }
  void begin_column() {
    write([&] { column_ = group_->NextColumn(); });
  }
  template <class Type>
  void add(std::int64_t levels, const std::int16_t* defined, const std::int16_t* repeated,
           const typename Type::c_type* values) {
    write([&] {
      static_cast<parquet::TypedColumnWriter<Type>*>(column_)->WriteBatch(levels, defined, repeated,
                                                                          values);
    });
  }
  void end_column() {
    write([&] { column_->Close(); });
  }
  void end_group() {
    write([&] { group_->Close(); });
  }
  void finish() {
    write([&] {
      writer_->Close();
      require(out_->Close());
    });
  }

 private:
  template <class Work>
  void write(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      throw ParquetPartError(number_, error.what());
    }
  }

  std::size_t number_;
  std::shared_ptr<arrow::io::FileOutputStream> out_;
  std::unique_ptr<parquet::ParquetFileWriter> writer_;
  parquet::RowGroupWriter* group_ = nullptr;
  parquet::ColumnWriter* column_ = nullptr;
};

// Values of a column on their way to a part.
template <class Type>
class Values {
 public:
  using Value = typename Type::c_type;

  explicit Values(Part& part) : part_(part), values_(std::make_unique<Value[]>(kLevelsAtOnce)) {
    defined_.reserve(kLevelsAtOnce);
    repeated_.reserve(kLevelsAtOnce);
  }

  void add_levels(std::int16_t defined, std::int16_t repeated) {
    defined_.push_back(defined);
    repeated_.push_back(repeated);
  }
  void add_value(const Value& value) {
    values_[count_++] = value;
    if constexpr (std::is_same_v<Type, parquet::ByteArrayType>) bytes_ += value.len;
  }
  bool full() const { return bytes_ >= kStringBytes; }

  void write() {
    if (defined_.empty()) return;
    part_.add<Type>(static_cast<std::int64_t>(defined_.size()), defined_.data(), repeated_.data(),
                    values_.get());
    defined_.clear();
    repeated_.clear();
    count_ = bytes_ = 0;
  }

 private:
  Part& part_;
  std::vector<std::int16_t> defined_, repeated_;
  std::unique_ptr<Value[]> values_;
  std::size_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

// Where each row of a row group goes: a part, or null.
using Targets = std::span<const std::uint8_t>;

// One column of a row group.
template <class Type>
class ColumnSplit {
 public:
  ColumnSplit(parquet::ColumnReader& column, const std::vector<Part*>& parts, Targets targets)
      : reader_(static_cast<parquet::TypedColumnReader<Type>&>(column)), targets_(targets) {
    for (Part* part : parts) {
      if (part == nullptr)
        to_.emplace_back();
      else
        to_.push_back(std::make_unique<Values<Type>>(*part));
    }
  }

  // Strings lie in a page, which stays until the next read.
  void run() {
    const std::int16_t most_defined = reader_.descr()->max_definition_level();
    const std::int16_t most_repeated = reader_.descr()->max_repetition_level();
    while (reader_.HasNext()) {
      std::int64_t values = 0;
      const std::int64_t levels = reader_.ReadBatch(kLevelsAtOnce, defined_.data(),
                                                    repeated_.data(), values_.get(), &values);
      if (most_defined == 0) std::ranges::fill_n(defined_.begin(), levels, std::int16_t{0});
      if (most_repeated == 0) std::ranges::fill_n(repeated_.begin(), levels, std::int16_t{0});
      split(levels, values, most_defined);
      for (const auto& to : to_)
        if (to) to->write();
    }
    if (row_ != static_cast<std::int64_t>(targets_.size()))
      throw std::runtime_error("it ends after row " + std::to_string(row_));
  }

 private:
  void split(std::int64_t levels, std::int64_t values, std::int16_t most_defined) {
    std::int64_t value = 0;
    for (std::int64_t i = 0; i < levels; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (repeated_[at] == 0) next_row();
      const bool has_value = defined_[at] == most_defined;
      if (has_value && value == values) throw std::runtime_error("a page has too few values");
      if (now_ != nullptr) {
        if (now_->full() && repeated_[at] == 0) now_->write();
        now_->add_levels(defined_[at], repeated_[at]);
        if (has_value) now_->add_value(values_[static_cast<std::size_t>(value)]);
      }
      value += has_value ? 1 : 0;
    }
  }

  void next_row() {
    if (row_ == static_cast<std::int64_t>(targets_.size()))
      throw std::runtime_error("it has more rows than " + std::to_string(row_));
    const std::uint8_t target = targets_[static_cast<std::size_t>(row_++)];
    now_ = target < to_.size() ? to_[target].get() : nullptr;
  }

  parquet::TypedColumnReader<Type>& reader_;
  Targets targets_;
  std::vector<std::unique_ptr<Values<Type>>> to_;
  Values<Type>* now_ = nullptr;  // of the row
  std::int64_t row_ = 0;         // the next one
  std::vector<std::int16_t> defined_ = std::vector<std::int16_t>(kLevelsAtOnce);
  std::vector<std::int16_t> repeated_ = std::vector<std::int16_t>(kLevelsAtOnce);
  std::unique_ptr<typename Type::c_type[]> values_ =
      std::make_unique<typename Type::c_type[]>(kLevelsAtOnce);
};

void split_column(parquet::ColumnReader& column, const std::vector<Part*>& parts, Targets targets) {
  switch (column.type()) {
    case parquet::Type::BOOLEAN:
      return ColumnSplit<parquet::BooleanType>(column, parts, targets).run();
    case parquet::Type::INT32:
      return ColumnSplit<parquet::Int32Type>(column, parts, targets).run();
    case parquet::Type::INT64:
      return ColumnSplit<parquet::Int64Type>(column, parts, targets).run();
    case parquet::Type::INT96:
      return ColumnSplit<parquet::Int96Type>(column, parts, targets).run();
    case parquet::Type::FLOAT:
      return ColumnSplit<parquet::FloatType>(column, parts, targets).run();
    case parquet::Type::DOUBLE:
      return ColumnSplit<parquet::DoubleType>(column, parts, targets).run();
    case parquet::Type::BYTE_ARRAY:
      return ColumnSplit<parquet::ByteArrayType>(column, parts, targets).run();
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return ColumnSplit<parquet::FLBAType>(column, parts, targets).run();
    default:
      throw std::runtime_error("it has a column of an unknown type");
  }
}

class Split : public ParquetSplit {
 public:
  Split(const std::string& path, const std::vector<std::string>& parts) : pool_(kMostBytes) {
    parquet::ReaderProperties file(&pool_);
    file.set_page_checksum_verification(true);
    file.enable_buffered_stream();
    file.set_buffer_size(kReadAtOnce);
    reader_ = parquet::ParquetFileReader::Open(
        value_of(arrow::io::ReadableFile::Open(path, &pool_)), file);
    metadata_ = reader_->metadata();
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts_.push_back(std::make_unique<Part>(i, parts[i], *metadata_, &pool_));
  }

  std::optional<std::uint64_t> group_rows() const override {
    if (group_ == metadata_->num_row_groups()) return {};
    return static_cast<std::uint64_t>(
        std::max<std::int64_t>(metadata_->RowGroup(group_)->num_rows(), 0));
  }

  void write_group(std::span<const std::uint8_t> targets) override {
    std::vector<Part*> some(parts_.size());  // with rows of the group
    for (const std::uint8_t target : targets)
      if (target < some.size()) some[target] = parts_[target].get();
    const auto each = [&](void (Part::*work)()) {
      for (Part* part : some)
        if (part != nullptr) (part->*work)();
    };
    each(&Part::begin_group);
    const auto group = reader_->RowGroup(group_);
    for (int column = 0; column < metadata_->num_columns(); ++column) {
      each(&Part::begin_column);
      split_column(*group->Column(column), some, targets);
      each(&Part::end_column);
    }
    each(&Part::end_group);
    ++group_;
  }

  void finish() override {
    for (const auto& part : parts_) part->finish();
  }

 private:
  RecyclingPool pool_;
  std::unique_ptr<parquet::ParquetFileReader> reader_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<std::unique_ptr<Part>> parts_;
  int group_ = 0;  // the next one
};

}  // namespace

std::unique_ptr<ParquetSplit> open_split(const std::string& path,
                                         const std::vector<std::string>& parts) {
  return std::make_unique<Split>(path, parts);
}

}  // namespace neardup
