#include "python/binding/column_source.h"

#include "pipeline/base/utf8.h"
#include "service/records/chunk_builder.h"
#include "service/records/record_checks.h"

namespace neardup {

bool ColumnSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  ChunkBuilder builder(chunk);
  std::uint64_t bytes = 0;
  std::string id;
  for (; chunk.records.size() < max_records && bytes < max_bytes && row_ < columns_.size(); ++row_) {
    RawRecord record;
    record.bytes = columns_.texts.values[row_];
    record.source.place = row_;
    if (!columns_.ids) id = std::to_string(first_seq_ + row_);
    record.key = columns_.ids ? columns_.ids->values[row_] : std::string_view(id);
    RawHeader name_space;
    if (columns_.name_spaces) {
      name_space.value = columns_.name_spaces->values[row_];
      record.headers = {&name_space, 1};
    }
    builder.add(record);
    bytes += record.bytes.size();
  }
  builder.seal();
  return !chunk.records.empty();
}

Record ColumnDecoder::decode(const RawRecord& raw, std::string_view& text) {
  Record record;
  record.source = raw.source;
  text = {};
  const std::string_view name_space =
      raw.headers.empty() ? std::string_view() : *raw.headers.front().value;
  if (!take_id(input_.id_field, *raw.key, record) ||
      !take_namespace(input_.namespace_field, name_space, record)) {
    return record;
  }
  if (options_.invalid_utf8 == InvalidUtf8::kReject && !valid_utf8(raw.bytes)) {
    reject(record, RejectReason::kInvalidUtf8,
           "the record is not valid UTF-8: convert it, or set text.invalid_utf8 to replace");
    return record;
  }
  take_text(input_.text_field, replace_invalid(raw.bytes, cleaned_, record), options_, record, text);
  return record;
}

}  // namespace neardup
