#include "service/search/query_decoder.h"

#include <algorithm>

#include "pipeline/model/text_batch.h"
#include "service/records/record_checks.h"

namespace neardup {
namespace {

constexpr std::string_view kNoId = "query";  // the id of a text without one

}  // namespace

Record QueryDecoder::decode(const RawRecord& raw, std::string_view& text) {
  Record record = decoder_.decode(raw, text);
  if (record.reason != RejectReason::kMissingId) return record;
  RawRecord with_id = raw;
  with_id.key = kNoId;
  record = decoder_.decode(with_id, text);
  if (record.reason == RejectReason::kMissingText) {
    record.has_id = false;
    record.detail = "the line has neither a text nor an id: give it one to ask about";
  }
  return record;
}

Record TextDecoder::decode(const RawRecord& raw, std::string_view& text) {
  Record record;
  record.source = raw.source;
  record.has_id = true;
  record.id = kNoId;
  take_text("the text", replace_invalid(raw.bytes, cleaned_, record), options_, record, text);
  return record;
}

RawChunk text_chunk(const std::string& text) {
  RawChunk chunk;
  chunk.buffer = text + std::string(kTextPadding, '\0');
  chunk.records.push_back(
      {.bytes = std::string_view(chunk.buffer).substr(0, text.size()), .source = {}});
  return chunk;
}

RawChunk lines_chunk(const std::string& lines) {
  RawChunk chunk;
  chunk.buffer = lines + std::string(kTextPadding, '\0');
  const std::string_view all = std::string_view(chunk.buffer).substr(0, lines.size());
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    if (end != begin) {
      chunk.records.push_back({.bytes = all.substr(begin, end - begin), .source = {}});
    }
    begin = end + 1;
  }
  return chunk;
}

}  // namespace neardup
