// What the service makes of messages of its topic, for tests of what it produces there.
#pragma once

#include <string_view>
#include <vector>

#include "service/kafka/message/message.h"
#include "service/records/chunk_builder.h"

namespace neardup {

inline RawChunk chunk_of(const RawRecord& record) {
  RawChunk chunk;
  ChunkBuilder builder(chunk);
  builder.add(record);
  builder.seal();
  return chunk;
}

inline RawChunk received(const OutgoingMessage& message) {
  std::vector<RawHeader> headers;
  for (const MessageHeader& header : message.headers)
    headers.push_back({header.name, std::string_view(*header.value)});
  RawRecord record;
  record.has_value = message.value.has_value();
  if (message.value) record.bytes = *message.value;
  record.size = record.bytes.size();
  if (message.key) record.key = *message.key;
  record.headers = headers;
  record.ts_ms = message.ts_ms;
  return chunk_of(record);
}

}  // namespace neardup
