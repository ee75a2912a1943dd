// A message on its way out, as the service makes it and before Kafka's client sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neardup {

struct MessageHeader {
  std::string name;
  std::optional<std::string> value;
  bool operator==(const MessageHeader&) const = default;
};

enum class Destination : std::uint8_t { kOutput, kDeadLetter, kOrder };

struct OutgoingMessage {
  Destination destination = Destination::kOutput;
  std::optional<std::string> key;
  std::optional<std::string> value;  // nothing: a null value
  std::vector<MessageHeader> headers;
  std::optional<std::int64_t> ts_ms;  // nothing: the time of sending
};

}  // namespace neardup
