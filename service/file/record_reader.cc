#include "service/file/record_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/file/byte_stream.h"
#include "service/file/line_reader.h"
#include "service/records/found_fields.h"

namespace neardup {
namespace {

constexpr std::size_t kPeekedBytes = 8;

// A stream whose first bytes are known before it is read.
class PeekedStream : public ByteStream {
 public:
  explicit PeekedStream(std::unique_ptr<ByteStream> stream) : stream_(std::move(stream)) {
    char bytes[kPeekedBytes];
    try {
      while (head_.size() < sizeof bytes) {
        const std::size_t got = stream_->read(bytes, sizeof bytes - head_.size());
        if (got == 0) break;
        head_.append(bytes, got);
      }
    } catch (const Failure&) {
      // The next read throws it again.
    }
  }

  std::string_view head() const { return head_; }

  std::size_t read(char* to, std::size_t most) override {
    if (at_ == head_.size()) return stream_->read(to, most);
    const std::size_t got = head_.copy(to, most, at_);
    at_ += got;
    return got;
  }
  bool skip(std::uint64_t bytes) override {
    const std::size_t here = std::min<std::uint64_t>(bytes, head_.size() - at_);
    at_ += here;
    return stream_->skip(bytes - here);
  }
  const std::string& name() const override { return stream_->name(); }
  std::uint64_t stored_bytes() const override { return stream_->stored_bytes(); }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::string head_;
  std::size_t at_ = 0;  // of head_: the next byte to give
};

std::vector<std::string> strings(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

}  // namespace

std::vector<RecordField> record_fields(const InputOptions& input, const OutputOptions& output) {
  const bool find = input.id == InputId::kAuto;
  std::vector<RecordField> fields{
      {input.id_field, ColumnUse::kId, !find},
      {input.text_field, ColumnUse::kText, true},
      {input.namespace_field, ColumnUse::kText},
      {input.timestamp_field, ColumnUse::kTime},
      {"/delete", ColumnUse::kAny},
  };
  if (find) {
    fields[0].others = strings(id_pointers());
    fields[1].others = strings(text_pointers());
  }
  if (output.has(kUrlField)) fields.push_back({input.url_field, ColumnUse::kText});
  return fields;
}

FormatAndHead format_and_head(RawInput input) {
  if (is_parquet(input)) return {std::string(kParquetFormat), {}};
  const auto reader = open_reader(std::move(input), {});
  return {std::string(reader->format()), reader->head()};
}

std::unique_ptr<RecordReader> open_reader(RawInput input, const ReaderOptions& options) {
  if (is_parquet(input)) return open_parquet(std::move(input), options);
  const std::uint64_t max_record_bytes = options.max_record_bytes;
  auto stream = std::make_unique<PeekedStream>(open_stream(std::move(input)));
  const std::string_view head = stream->head();
  const std::string_view name = without_compression(stream->name());
  // A file that is named so and is none should not become records that are all rejected.
  const bool named_warc = name.ends_with(".warc") || name.ends_with(".wet");
  if (head.starts_with("WARC/") || named_warc)
    return make_warc_reader(std::move(stream), max_record_bytes);
  const bool csv = name.ends_with(".csv");
  if (!csv && !name.ends_with(".tsv"))
    return std::make_unique<LineReader>(std::move(stream), max_record_bytes);
  require_no_utf16(head, stream->name());
  return make_csv_reader(std::move(stream), max_record_bytes, csv ? ',' : '\t');
}

}  // namespace neardup
