#include "service/kafka/message/message_record.h"

namespace neardup {
namespace {

void read_headers(const rd_kafka_message_t& message, std::vector<RawHeader>& headers) {
  headers.clear();
  rd_kafka_headers_t* list = nullptr;
  if (rd_kafka_message_headers(&message, &list) != RD_KAFKA_RESP_ERR_NO_ERROR) return;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  for (std::size_t i = 0;
       rd_kafka_header_get_all(list, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
    RawHeader& header = headers.emplace_back(RawHeader{name, std::nullopt});
    if (value != nullptr) header.value = std::string_view(static_cast<const char*>(value), size);
  }
}

}  // namespace

RawRecord make_record(const rd_kafka_message_t& message, std::size_t input,
                      std::uint64_t max_record_bytes, std::vector<RawHeader>& headers) {
  RawRecord record;
  record.source = {static_cast<std::uint32_t>(input), static_cast<std::uint64_t>(message.offset)};
  record.has_value = message.payload != nullptr;
  record.size = message.len;
  record.too_large = message.len > max_record_bytes;
  record.bytes = value_of(message);
  if (message.key != nullptr) {
    record.key = std::string_view(static_cast<const char*>(message.key), message.key_len);
  }
  read_headers(message, headers);
  record.headers = headers;
  const std::int64_t time = rd_kafka_message_timestamp(&message, nullptr);
  if (time >= 0) record.ts_ms = time;
  return record;
}

}  // namespace neardup
