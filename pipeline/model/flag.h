// The answer for one record: exactly one flag each, in arrival order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/record.h"
#include "pipeline/model/types.h"

namespace neardup {

// In order of precedence: the first that applies is the status.
enum class Status : std::uint8_t {
  kRejected,
  kDeleted,
  kUnchanged,
  kEmpty,
  kExactDuplicate,
  kTooShort,
  kNearDuplicate,
  kUnique,
};
inline constexpr std::size_t kStatuses = 8;
inline constexpr std::array<std::string_view, kStatuses> kStatusNames{
    "rejected",        "deleted",   "unchanged",      "empty",
    "exact_duplicate", "too_short", "near_duplicate", "unique"};
constexpr std::span<const std::string_view> names(Status) { return kStatusNames; }
using StatusCounts = std::array<std::uint64_t, kStatuses>;

enum class VerifiedBy : std::uint8_t { kContent, kSketch, kExact, kNone };
inline constexpr std::array<std::string_view, 4> kVerifiedByNames{"content", "sketch", "exact",
                                                                  "none"};
constexpr std::span<const std::string_view> names(VerifiedBy) { return kVerifiedByNames; }

// The document that a flagged one repeats, and the evidence.
struct Original {
  std::string id;
  Seq seq = 0;
  VerifiedBy verified_by = VerifiedBy::kNone;
  Ppm similarity = 0;
  Ppm low = 0;  // 95 % interval of the estimate; equal to `similarity` for content and exact
  Ppm high = 0;
  std::uint32_t bands_hit = 0;  // not printed with kContent
};

// The older version of the same id that this record replaced.
struct Previous {
  Seq seq = 0;
  std::optional<Ppm> similarity;  // only where both versions have a sketch
};

// What was decided about a version when it was stored.
struct Verdict {
  Seq seq = 0;
  bool kept = true;
  // Not kept: the original that it repeated, and its id unless it has ended since.
  Seq original = 0;
  std::optional<std::string> original_id = {};
  Ppm similarity = 0;
};

struct Flag {
  Seq seq = 0;
  Status status = Status::kUnique;
  bool has_id = true;
  std::string id;
  std::string name_space;
  std::string url;                            // of the record; no part of the decision
  std::uint64_t text_bytes = 0;               // as in the record
  bool known = true;                          // deleted: was there such an id?
  RejectReason reason = RejectReason::kNone;  // rejected
  std::string detail;                         // rejected
  std::optional<Original> original;
  std::optional<Previous> previous;
  std::optional<Verdict> verdict;  // unchanged, where it is wanted
  SourcePosition source;
};

}  // namespace neardup
