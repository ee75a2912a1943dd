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

// The decision about a version when it was stored.
struct Verdict {
  Seq seq = 0;
  bool kept = true;
  // Not kept: the original that it repeated, and its id unless it has ended since.
  Seq original = 0;
  std::optional<std::string> original_id = {};
  Ppm similarity = 0;
};

struct Flag : PassedOn {
  Seq seq = 0;
  Status status = Status::kUnique;
  bool has_id = true;
  std::string id;
  std::string name_space;
  bool known = true;                          // deleted: was there such an id?
  RejectReason reason = RejectReason::kNone;  // rejected
  std::string detail;                         // rejected
  std::optional<Original> original;
  std::optional<Previous> previous;
  std::optional<Verdict> verdict;  // unchanged, where it is wanted
  SourcePosition source;
};

// How the decision is stored and hashed: read and written by the same functions (storage/bytes.h).
//
//   flag     := bits:u8 status:u8 seq:varint bytes(id) bytes(namespace) input:varint place:varint
//               [reason:u8 bytes(detail)] [original] [previous]
//   bits     := 1 has an id, 2 known, 4 rejected, 8 original, 16 previous, 32 its similarity
//   original := bytes(id) seq:varint verified_by:u8
//               similarity:varint low:varint high:varint bands_hit:varint
//   previous := seq:varint [similarity:varint]
//
// Enumerators are stored by their number. A verdict is not stored: a service over HTTP makes it for
// its answer alone. A new field has a bit that is 0 where it is empty, so that older flags are read
// and hashed as they were.
template <class Io, class AnOriginal>
void original_fields(Io& io, AnOriginal& original) {
  io.bytes(original.id);
  io.varint(original.seq);
  io.word(original.verified_by);
  io.varint(original.similarity);
  io.varint(original.low);
  io.varint(original.high);
  io.varint(original.bands_hit);
}

template <class Io, class AFlag>
void flag_fields(Io& io, AFlag& flag) {
  const auto [has_id, known, rejected, has_original, has_previous, has_similarity] =
      io.bits(flag.has_id, flag.known, flag.status == Status::kRejected, flag.original.has_value(),
              flag.previous.has_value(), flag.previous && flag.previous->similarity);
  io.set(flag.has_id, has_id);
  io.set(flag.known, known);
  io.word(flag.status);
  io.require(rejected == (flag.status == Status::kRejected));
  io.varint(flag.seq);
  io.bytes(flag.id);
  io.bytes(flag.name_space);
  io.varint(flag.source.input);
  io.varint(flag.source.place);
  if (rejected) {
    io.word(flag.reason);
    io.bytes(flag.detail);
  }
  if (has_original) original_fields(io, io.present(flag.original));
  io.require(has_previous || !has_similarity);
  if (!has_previous) return;
  auto& previous = io.present(flag.previous);
  io.varint(previous.seq);
  if (has_similarity) io.varint(io.present(previous.similarity));
}

}  // namespace neardup
