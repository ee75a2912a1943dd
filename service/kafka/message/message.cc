#include "service/kafka/message/message.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace neardup {
namespace {

constexpr std::chrono::minutes kLargestLead{55};

// Upper bounds of what Kafka's record format adds to a message and to each header.
constexpr std::uint64_t kMessageOverhead = 100;
constexpr std::uint64_t kHeaderOverhead = 12;

std::uint64_t size_of(const std::optional<std::string>& bytes) { return bytes ? bytes->size() : 0; }

std::optional<std::string> copy(const std::optional<std::string_view>& bytes) {
  return bytes ? std::optional<std::string>(*bytes) : std::nullopt;
}

// Brokers refuse timestamps far in the future (message.timestamp.after.max.ms, 1 hour by default):
// nothing for those, so that they are sent with the time of sending.
std::optional<std::int64_t> acceptable(std::optional<std::int64_t> ts_ms) {
  const auto now = std::chrono::system_clock::now() + kLargestLead;
  const auto latest = std::chrono::ceil<std::chrono::milliseconds>(now.time_since_epoch());
  return ts_ms && *ts_ms <= latest.count() ? ts_ms : std::nullopt;
}

}  // namespace

void add_header(OutgoingMessage& message, std::string_view name, std::string_view value) {
  message.headers.push_back({std::string(name), std::string(value)});
}

void add_header(OutgoingMessage& message, std::string_view name, std::uint64_t number) {
  message.headers.push_back({std::string(name), std::to_string(number)});
}

OutgoingMessage copy_without_value(const RawRecord& record,
                                   std::span<const std::string_view> ours) {
  OutgoingMessage message{
      .key = copy(record.key), .value = {}, .headers = {}, .ts_ms = acceptable(record.ts_ms)};
  message.headers.reserve(record.headers.size() + ours.size());
  for (const RawHeader& header : record.headers) {
    if (std::ranges::find(ours, header.name) != ours.end()) continue;
    message.headers.push_back({std::string(header.name), copy(header.value)});
  }
  return message;
}

bool value_left_out(const RawRecord& record) {
  return record.too_large && record.bytes.size() != record.size;
}

std::uint64_t wire_bytes(const OutgoingMessage& message) {
  std::uint64_t bytes = kMessageOverhead + size_of(message.key) + size_of(message.value);
  for (const MessageHeader& header : message.headers) {
    bytes += kHeaderOverhead + header.name.size() + size_of(header.value);
  }
  return bytes;
}

}  // namespace neardup
