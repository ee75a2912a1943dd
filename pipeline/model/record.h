// An input record after decoding, before its text is normalised.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/notice.h"

namespace neardup {

enum class RecordKind : std::uint8_t { kDocument, kDelete, kRejected };
inline constexpr std::array<std::string_view, 3> kRecordKindNames{"document", "delete", "rejected"};
constexpr std::span<const std::string_view> names(RecordKind) { return kRecordKindNames; }

// Why a record was rejected. The names are part of the contract.
enum class RejectReason : std::uint8_t {
  kNone,
  kInvalidJson,
  kMissingId,
  kInvalidId,
  kMissingText,
  kInvalidText,
  kDuplicateField,
  kInvalidEscape,
  kInvalidUtf8,
  kRecordTooLarge,
  kTextTooLarge,
};
inline constexpr std::array<std::string_view, 11> kRejectReasonNames{"",
                                                                     "invalid_json",
                                                                     "missing_id",
                                                                     "invalid_id",
                                                                     "missing_text",
                                                                     "invalid_text",
                                                                     "duplicate_field",
                                                                     "invalid_escape",
                                                                     "invalid_utf8",
                                                                     "record_too_large",
                                                                     "text_too_large"};
constexpr std::span<const std::string_view> names(RejectReason) { return kRejectReasonNames; }

// Where a record came from: for files the input's place in the command and the line (from 1).
struct SourcePosition {
  std::uint32_t input = 0;
  std::uint64_t place = 0;
  bool operator==(const SourcePosition&) const = default;
};

inline constexpr std::size_t kMaxIdBytes = 1024;
inline constexpr std::size_t kMaxUrlBytes = 8192;

// What a record passes on to its flag, no part of the decision: each with its word in
// `output.fields`, which is its name in the flag.
inline constexpr std::string_view kUrlField = "url";
inline constexpr std::string_view kTextBytesField = "text_bytes";
inline constexpr std::array kPassedOnFields{kUrlField, kTextBytesField};

struct PassedOn {
  std::string url;  // empty: none, or not read
  std::uint64_t text_bytes =
      0;  // of the text before normalisation, in UTF-8; 0: none, or not asked
};

// Calls visit(name, field) for each of them, in the order of the flag.
template <class Visit>
void for_each_passed_on(const PassedOn& fields, Visit visit) {
  visit(kUrlField, fields.url);
  visit(kTextBytesField, fields.text_bytes);
}

struct Record : PassedOn {
  RecordKind kind = RecordKind::kDocument;
  RejectReason reason = RejectReason::kNone;
  bool has_id = false;                // a rejected record may have none
  std::string id;                     // 1 to 1 024 bytes of UTF-8
  std::string name_space;             // empty: the default namespace
  std::string detail;                 // for rejected: what was wrong and what to do, one sentence
  std::optional<std::int64_t> ts_ms;  // milliseconds since 1970, UTC
  NoticeSet notices;                  // what was not understood
  SourcePosition source;
};

inline void count_notices(std::span<const Record> records, NoticeCounts& counts) {
  for (const Record& record : records) count_notices(record.notices, counts);
}

}  // namespace neardup
