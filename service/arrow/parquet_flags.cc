#include <arrow/array/array_binary.h>
#include <arrow/array/array_primitive.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/json/options.h>
#include <arrow/json/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "service/arrow/module_parts.h"
#include "service/arrow/recycling_pool.h"

namespace neardup {
namespace {

constexpr std::int64_t kGroupRows = 131'072;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::size_t kGroupBytes = std::size_t{64} << 20;  // of JSON

// A file of row groups in zstd, with checksums of pages.
class TableFile {
 public:
  TableFile(const std::string& path, const arrow::Schema& schema, arrow::MemoryPool* pool)
      : out_(value_of(arrow::io::FileOutputStream::Open(path))) {
    const auto properties = parquet::WriterProperties::Builder()
                                .compression(arrow::Compression::ZSTD)
                                ->enable_page_checksum()
                                ->memory_pool(pool)
                                ->build();
    writer_ = value_of(parquet::arrow::FileWriter::Open(schema, pool, out_, properties));
  }

  // A row group, unless it is empty.
  void add(const arrow::RecordBatch& batch) {
    if (batch.num_rows() == 0) return;
    require(writer_->NewBufferedRowGroup());
    require(writer_->WriteRecordBatch(batch));
  }

  void finish() {
    require(writer_->Close());
    require(out_->Close());
  }

 private:
  std::shared_ptr<arrow::io::FileOutputStream> out_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

arrow::FieldVector fields_of(
    std::initializer_list<std::pair<const char*, std::shared_ptr<arrow::DataType>>> columns) {
  arrow::FieldVector fields;
  for (const auto& [name, type] : columns) fields.push_back(arrow::field(name, type));
  return fields;
}

// Of flags in JSON.
std::shared_ptr<arrow::Schema> json_schema() {
  using namespace arrow;
  const auto previous = fields_of({{"seq", uint64()}, {"similarity", float64()}});
  const auto source = fields_of({{"file", utf8()}, {"line", uint64()}});
  return arrow::schema(fields_of({{"id", utf8()},
                                  {"namespace", utf8()},
                                  {"url", utf8()},
                                  {"text_bytes", uint64()},
                                  {"seq", uint64()},
                                  {"status", utf8()},
                                  {"known", boolean()},
                                  {"reason", utf8()},
                                  {"detail", utf8()},
                                  {"duplicate_of", utf8()},
                                  {"duplicate_of_seq", uint64()},
                                  {"similarity", float64()},
                                  {"similarity_low", float64()},
                                  {"similarity_high", float64()},
                                  {"verified_by", utf8()},
                                  {"bands_hit", uint32()},
                                  {"previous", struct_(previous)},
                                  {"threshold", float64()},
                                  {"rule", utf8()},
                                  {"source", struct_(source)}}));
}

// Of the file: after `previous` there is the group, by its original.
std::shared_ptr<arrow::Schema> flags_schema() {
  const auto json = json_schema();
  return value_of(
      json->AddField(json->GetFieldIndex("threshold"), arrow::field("group", arrow::utf8())));
}

std::shared_ptr<arrow::Array> finished(arrow::ArrayBuilder& builder) {
  return value_of(builder.Finish());
}

template <class Array>
const Array& column(const arrow::RecordBatch& batch, const char* name) {
  return static_cast<const Array&>(*batch.GetColumnByName(name));
}

class FlagsTable : public ParquetFlags {
 public:
  explicit FlagsTable(const std::string& path) : file_(path, *flags_schema(), &pool_) {}

  void add(std::string_view lines) override {
    while (!lines.empty()) {
      const std::size_t end = lines.find('\n');
      lines_ += lines.substr(0, end);
      if (end == lines.npos) return;
      lines_ += '\n';
      lines.remove_prefix(end + 1);
      if (++rows_ == kGroupRows || lines_.size() >= kGroupBytes) write();
    }
  }

  void finish() override {
    if (rows_ > 0) write();
    file_.finish();
  }

 private:
  void write() {
    const auto batch = parse();
    const auto known =
        value_of(batch->SetColumn(batch->schema()->GetFieldIndex("known"),
                                  arrow::field("known", arrow::boolean()), known_of(*batch)));
    file_.add(*value_of(known->AddColumn(batch->schema()->GetFieldIndex("threshold"),
                                         arrow::field("group", arrow::utf8()), groups_of(*batch))));
    lines_.clear();
    rows_ = 0;
  }

  std::shared_ptr<arrow::RecordBatch> parse() {
    auto read = arrow::json::ReadOptions::Defaults();
    read.use_threads = false;
    read.block_size = static_cast<std::int32_t>(lines_.size());
    auto parse = arrow::json::ParseOptions::Defaults();
    parse.explicit_schema = json_schema();
    parse.unexpected_field_behavior = arrow::json::UnexpectedFieldBehavior::Ignore;
    const auto input = std::make_shared<arrow::io::BufferReader>(
        std::make_shared<arrow::Buffer>(std::string_view(lines_)));
    const auto reader = value_of(arrow::json::TableReader::Make(&pool_, input, read, parse));
    return value_of(value_of(reader->Read())->CombineChunksToBatch(&pool_));
  }

  // JSON says it of deleted ids that were not known only.
  std::shared_ptr<arrow::Array> known_of(const arrow::RecordBatch& batch) {
    const auto& said = column<arrow::BooleanArray>(batch, "known");
    const auto& status = column<arrow::StringArray>(batch, "status");
    arrow::BooleanBuilder known(&pool_);
    for (std::int64_t row = 0; row < batch.num_rows(); ++row) {
      if (status.GetView(row) != name(Status::kDeleted)) {
        require(known.AppendNull());
      } else {
        require(known.Append(said.IsNull(row) || said.Value(row)));
      }
    }
    return finished(known);
  }

  std::shared_ptr<arrow::Array> groups_of(const arrow::RecordBatch& batch) {
    const auto& id = column<arrow::StringArray>(batch, "id");
    const auto& original = column<arrow::StringArray>(batch, "duplicate_of");
    arrow::StringBuilder groups(&pool_);
    for (std::int64_t row = 0; row < batch.num_rows(); ++row) {
      const auto& from = original.IsNull(row) ? id : original;
      require(from.IsNull(row) ? groups.AppendNull() : groups.Append(from.GetView(row)));
    }
    return finished(groups);
  }

  RecyclingPool pool_{kMostBytes};
  std::string lines_;  // of the row group
  std::int64_t rows_ = 0;
  TableFile file_;
};

std::shared_ptr<arrow::Schema> mask_schema() {
  return arrow::schema(
      fields_of({{"row", arrow::int64()}, {"kept", arrow::boolean()}, {"status", arrow::utf8()}}));
}

class MaskTable : public ParquetMask {
 public:
  explicit MaskTable(const std::string& path) : file_(path, *mask_schema(), &pool_) {}

  void add(bool kept, std::string_view status) override {
    require(row_.Append(++rows_));
    require(kept_.Append(kept));
    require(status_.Append(status));
    if (rows_ % kGroupRows == 0) write();
  }

  void finish() override {
    write();
    file_.finish();
  }

 private:
  void write() {
    const std::int64_t rows = row_.length();
    file_.add(*arrow::RecordBatch::Make(mask_schema(), rows,
                                        {finished(row_), finished(kept_), finished(status_)}));
  }

  RecyclingPool pool_{kMostBytes};
  arrow::Int64Builder row_{&pool_};
  arrow::BooleanBuilder kept_{&pool_};
  arrow::StringBuilder status_{&pool_};
  std::int64_t rows_ = 0;
  TableFile file_;
};

}  // namespace

std::unique_ptr<ParquetMask> create_mask(const std::string& path) {
  return std::make_unique<MaskTable>(path);
}

std::unique_ptr<ParquetFlags> create_flags(const std::string& path) {
  return std::make_unique<FlagsTable>(path);
}

}  // namespace neardup
