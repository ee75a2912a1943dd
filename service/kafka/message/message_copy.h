// Copies of input messages as output messages.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pipeline/ports.h"
#include "service/kafka/message/message.h"

namespace neardup {

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
