#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_nested.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "service/arrow/module_parts.h"
#include "service/arrow/recycling_pool.h"

namespace neardup {
namespace {

constexpr std::int64_t kGroupRows = 131'072;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::int64_t kGroupBytes = std::int64_t{32} << 20;  // of strings

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

// Similarities as in JSON, cut to 3 decimals.
double decimals(Ppm ppm) { return static_cast<double>(ppm / 1000) / 1000.0; }

// The columns of a row group, in the order of the file.
class Columns {
 public:
  explicit Columns(arrow::MemoryPool* pool)
      : id_(pool),
        namespace_(pool),
        url_(pool),
        text_bytes_(pool),
        seq_(pool),
        status_(pool),
        known_(pool),
        reason_(pool),
        detail_(pool),
        duplicate_of_(pool),
        duplicate_of_seq_(pool),
        similarity_(pool),
        similarity_low_(pool),
        similarity_high_(pool),
        verified_by_(pool),
        bands_hit_(pool),
        previous_seq_(pool),
        previous_similarity_(pool),
        group_(pool),
        threshold_(pool),
        rule_(pool),
        file_(pool),
        line_(pool) {}

  void add(const Flag& flag, std::string_view file, double threshold, std::string_view rule) {
    text(id_, flag.id, flag.has_id);
    text(namespace_, flag.name_space, !flag.name_space.empty());
    text(url_, flag.url, !flag.url.empty());
    value(text_bytes_, flag.text_bytes, flag.text_bytes != 0);
    value(seq_, flag.seq);
    text(status_, name(flag.status));
    value(known_, flag.known, flag.status == Status::kDeleted);
    const bool rejected = flag.status == Status::kRejected;
    text(reason_, rejected ? name(flag.reason) : "", rejected);
    text(detail_, flag.detail, rejected);
    add_original(flag.original);
    value(previous_seq_, flag.previous ? flag.previous->seq : 0, flag.previous.has_value());
    const bool compared = flag.previous && flag.previous->similarity;
    value(previous_similarity_, compared ? decimals(*flag.previous->similarity) : 0, compared);
    text(group_, flag.original ? flag.original->id : flag.id, flag.original || flag.has_id);
    value(threshold_, threshold);
    text(rule_, rule);
    text(file_, file);
    value(line_, flag.source.place);
    ++rows_;
  }

  bool full() const { return rows_ >= kGroupRows || bytes_ >= kGroupBytes; }

  // Empties the columns.
  std::shared_ptr<arrow::RecordBatch> batch();

 private:
  void add_original(const std::optional<Original>& original) {
    const Original given = original.value_or(Original{});
    const bool has = original.has_value();
    text(duplicate_of_, given.id, has);
    value(duplicate_of_seq_, given.seq, has);
    value(similarity_, decimals(given.similarity), has);
    value(similarity_low_, decimals(given.low), has);
    value(similarity_high_, decimals(given.high), has);
    text(verified_by_, name(given.verified_by), has);
    value(bands_hit_, given.bands_hit, has && given.verified_by != VerifiedBy::kContent);
  }

  void text(arrow::StringBuilder& column, std::string_view bytes, bool has = true) {
    require(has ? column.Append(bytes) : column.AppendNull());
    bytes_ += static_cast<std::int64_t>(bytes.size());
  }
  template <class Builder, class Value>
  void value(Builder& column, Value value, bool has = true) {
    require(has ? column.Append(value) : column.AppendNull());
  }

  arrow::StringBuilder id_, namespace_, url_;
  arrow::UInt64Builder text_bytes_, seq_;
  arrow::StringBuilder status_;
  arrow::BooleanBuilder known_;
  arrow::StringBuilder reason_, detail_, duplicate_of_;
  arrow::UInt64Builder duplicate_of_seq_;
  arrow::DoubleBuilder similarity_, similarity_low_, similarity_high_;
  arrow::StringBuilder verified_by_;
  arrow::UInt32Builder bands_hit_;
  arrow::UInt64Builder previous_seq_;
  arrow::DoubleBuilder previous_similarity_;
  arrow::StringBuilder group_;
  arrow::DoubleBuilder threshold_;
  arrow::StringBuilder rule_, file_;
  arrow::UInt64Builder line_;
  std::int64_t rows_ = 0;
  std::int64_t bytes_ = 0;
};

arrow::FieldVector fields_of(
    std::initializer_list<std::pair<const char*, std::shared_ptr<arrow::DataType>>> columns) {
  arrow::FieldVector fields;
  for (const auto& [name, type] : columns) fields.push_back(arrow::field(name, type));
  return fields;
}

std::shared_ptr<arrow::Schema> schema() {
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
                                  {"group", utf8()},
                                  {"threshold", float64()},
                                  {"rule", utf8()},
                                  {"source", struct_(source)}}));
}

std::shared_ptr<arrow::Array> finished(arrow::ArrayBuilder& builder) {
  return value_of(builder.Finish());
}

std::shared_ptr<arrow::RecordBatch> Columns::batch() {
  const auto previous_seq = finished(previous_seq_);
  const auto previous = value_of(arrow::StructArray::Make(
      {previous_seq, finished(previous_similarity_)}, std::vector<std::string>{"seq", "similarity"},
      previous_seq->null_bitmap(), previous_seq->null_count()));
  const auto source = value_of(arrow::StructArray::Make({finished(file_), finished(line_)},
                                                        std::vector<std::string>{"file", "line"}));
  arrow::ArrayVector arrays;
  for (arrow::ArrayBuilder* builder : std::initializer_list<arrow::ArrayBuilder*>{
           &id_, &namespace_, &url_, &text_bytes_, &seq_, &status_, &known_, &reason_, &detail_,
           &duplicate_of_, &duplicate_of_seq_, &similarity_, &similarity_low_, &similarity_high_,
           &verified_by_, &bands_hit_})
    arrays.push_back(finished(*builder));
  arrays.push_back(previous);
  for (arrow::ArrayBuilder* builder :
       std::initializer_list<arrow::ArrayBuilder*>{&group_, &threshold_, &rule_})
    arrays.push_back(finished(*builder));
  arrays.push_back(source);
  bytes_ = 0;
  return arrow::RecordBatch::Make(schema(), std::exchange(rows_, 0), std::move(arrays));
}

class FlagsTable : public ParquetFlags {
 public:
  FlagsTable(const std::string& path, Ppm threshold, std::string_view rule)
      : threshold_(static_cast<double>(threshold) / kOne),
        rule_(rule),
        columns_(&pool_),
        file_(path, *schema(), &pool_) {}

  void add(const Flag& flag, std::string_view file) override {
    columns_.add(flag, file, threshold_, rule_);
    if (columns_.full()) file_.add(*columns_.batch());
  }

  void finish() override {
    file_.add(*columns_.batch());
    file_.finish();
  }

 private:
  double threshold_;
  std::string rule_;
  RecyclingPool pool_{kMostBytes};
  Columns columns_;
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

std::unique_ptr<ParquetFlags> create_flags(const std::string& path, Ppm threshold,
                                           std::string_view rule) {
  return std::make_unique<FlagsTable>(path, threshold, rule);
}

}  // namespace neardup
