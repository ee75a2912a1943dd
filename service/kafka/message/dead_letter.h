// Dead letters: rejected messages, or references to them, with the reason in their headers
// (docs/formats/kafka.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pipeline/model/types.h"
#include "pipeline/ports.h"
#include "service/kafka/message/message.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// The header that holds the reason.
inline constexpr std::string_view kReasonHeader = "neardup-reason";
inline constexpr std::string_view kSeqHeader = "neardup-seq";

struct DeadLetter {
  std::string_view reason;
  std::string_view detail;
  const TopicPartition& from;
  std::uint64_t offset = 0;
  std::optional<Seq> seq;   // nothing: not known to who writes the letter
  bool with_value = true;   // if it is in memory and fits
  std::uint64_t limit = 0;  // the largest message, in bytes with key and headers
};

// `record`: the message, or what is left of it.
OutgoingMessage make_dead_letter(const DeadLetter& letter, const RawRecord& record);

// The reason of a dead letter. Requires: make_dead_letter made it.
std::string_view dead_letter_reason(const OutgoingMessage& message);

}  // namespace neardup
