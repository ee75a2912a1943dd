// An output message of the service, before it is handed to librdkafka.
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
  std::optional<std::int64_t> ts_ms;           // nothing: the time of sending
  std::optional<std::int32_t> partition = {};  // nothing: by the key
};

}  // namespace neardup
