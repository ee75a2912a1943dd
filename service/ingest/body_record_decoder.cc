#include "service/ingest/body_record_decoder.h"

#include "service/records/record_checks.h"

namespace neardup {

Record BodyRecordDecoder::decode(const RawRecord& raw, std::string_view& text) {
  text = {};
  if (!raw.key) return json_.decode(raw, text);
  Record record;
  record.source = raw.source;
  const std::string_view name_space = raw.headers.front().value.value_or("");
  if (take_id("the id of the query", *raw.key, record) &&
      take_namespace("of the query", name_space, record)) {
    take_whole_value(raw, input_, options_, cleaned_, record, text);
    count_text_bytes(text, output_, record);
  }
  return record;
}

}  // namespace neardup
