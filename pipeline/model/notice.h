// What was taken or rejected without being understood. Each kind is counted, so that nobody has to
// find it in the flags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "pipeline/base/enum_name.h"

namespace neardup {

// The names are part of the contract: in the summary of `scan` and in a metric.
enum class NoticeKind : std::uint8_t {
  kUnreadTime,     // no time that can be read, while retention.max_age is set
  kReplacedBytes,  // ill-formed UTF-8 became U+FFFD
  kHalfSurrogate,  // half of a surrogate pair in the text became U+FFFD
  kUtf16,          // UTF-16 in place of UTF-8
  kSchemaFrame,    // a schema registry's frame without input.frame, or the reverse
  kJsonArray,      // an array in place of one record
  kCharset,        // a request whose Content-Type names another charset than UTF-8
};
inline constexpr std::array<std::string_view, 7> kNoticeKindNames{
    "unread_time",  "replaced_bytes", "half_surrogate", "utf16",
    "schema_frame", "json_array",     "charset"};
constexpr std::span<const std::string_view> names(NoticeKind) { return kNoticeKindNames; }

// The kinds that apply to one record.
class NoticeSet {
 public:
  void add(NoticeKind kind) { bits_ |= bit(kind); }
  void remove(NoticeKind kind) { bits_ &= static_cast<std::uint8_t>(~bit(kind)); }
  bool has(NoticeKind kind) const { return (bits_ & bit(kind)) != 0; }
  bool empty() const { return bits_ == 0; }

 private:
  static_assert(kNoticeKindNames.size() <= 8);
  static std::uint8_t bit(NoticeKind kind) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
  }
  std::uint8_t bits_ = 0;
};

// Records by NoticeKind.
using NoticeCounts = std::array<std::uint64_t, kNoticeKindNames.size()>;

// Takes what was counted since its last call. Any thread.
using NoticeSink = std::function<void(const NoticeCounts&)>;

constexpr NoticeCounts one_notice(NoticeKind kind) {
  NoticeCounts counts{};
  counts[static_cast<std::size_t>(kind)] = 1;
  return counts;
}

inline void add_notices(const NoticeCounts& more, NoticeCounts& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += more[i];
}

inline void count_notices(NoticeSet notices, NoticeCounts& counts) {
  if (notices.empty()) return;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (notices.has(static_cast<NoticeKind>(i))) ++counts[i];
  }
}

}  // namespace neardup
