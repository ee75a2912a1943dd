// An output message of the service, before it is handed to librdkafka, and its parts that are
// copies of an input message.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/ports.h"

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

void add_header(OutgoingMessage& message, std::string_view name, std::string_view value);
void add_header(OutgoingMessage& message, std::string_view name, std::uint64_t number);

// The message without its value, and without headers whose name is in `ours`.
OutgoingMessage copy_without_value(const RawRecord& record,
                                   std::span<const std::string_view> ours = {});

// A source may leave out the value of a record that is larger than input.max_record_bytes.
bool value_left_out(const RawRecord& record);

// An upper bound of the bytes that a message takes in a batch.
std::uint64_t wire_bytes(const OutgoingMessage& message);

}  // namespace neardup
