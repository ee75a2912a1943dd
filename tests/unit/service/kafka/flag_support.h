// Flags of every kind, for the tests of how they are stored.
#pragma once

#include <string>
#include <vector>

#include "service/kafka/message/flag_codec.h"

namespace neardup {

inline Flag test_flag(Seq seq, Status status = Status::kUnique) {
  Flag flag;
  flag.seq = seq;
  flag.status = status;
  flag.id = "doc-" + std::to_string(seq);
  flag.source = {.input = 2, .place = 1000 + seq};
  return flag;
}

inline Flag with_original(Flag flag, VerifiedBy verified_by) {
  flag.original = Original{"the original", 3, verified_by, 934'000, 901'000, 967'000, 7};
  return flag;
}

inline std::vector<Flag> flags_of_all_kinds() {
  std::vector<Flag> flags;
  for (std::size_t status = 0; status < kStatuses; ++status) {
    flags.push_back(test_flag(100 + status, static_cast<Status>(status)));
  }
  flags[0].reason = RejectReason::kTextTooLarge;
  flags[0].detail = "too large";
  flags.push_back(flags[0]);
  flags.back().has_id = false;
  flags.back().id.clear();
  flags.push_back(test_flag(200, Status::kDeleted));
  flags.back().known = false;
  for (const auto by :
       {VerifiedBy::kContent, VerifiedBy::kSketch, VerifiedBy::kExact, VerifiedBy::kNone}) {
    flags.push_back(with_original(test_flag(kMaxSeq, Status::kNearDuplicate), by));
  }
  flags.push_back(test_flag(300));
  flags.back().previous = Previous{7, std::nullopt};
  flags.push_back(with_original(test_flag(301, Status::kNearDuplicate), VerifiedBy::kSketch));
  flags.back().previous = Previous{8, 500'000};
  flags.back().name_space = std::string("a\0b", 3);
  return flags;
}

inline std::string encoded(const Flag& flag) {
  std::string bytes;
  encode_flag(flag, bytes);
  return bytes;
}

}  // namespace neardup
