// The listed values of labels: an enum for each, and the words of its values as they are exposed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"

namespace neardup {

template <std::size_t kCount>
using LabelWords = std::array<std::string_view, kCount>;

enum class ServiceState : std::uint8_t {
  kStarting,
  kRecovering,
  kReplaying,
  kFollowing,  // a decider, while another one leads
  kServing,
  kDraining,
};
constexpr LabelWords<6> names(ServiceState) {
  return {"starting", "recovering", "replaying", "following", "serving", "draining"};
}

enum class ConnectionLimit : std::uint8_t { kConnections, kConnectionsOfClient, kSize, kTime };
constexpr LabelWords<4> names(ConnectionLimit) {
  return {"connections", "connections_per_client", "size", "time"};
}

// What a request was refused for.
enum class HttpRoom : std::uint8_t { kAnswer, kBody };
constexpr LabelWords<2> names(HttpRoom) { return {"answer", "body"}; }

enum class SpoolPlace : std::uint8_t { kMemory, kDisk };
constexpr LabelWords<2> names(SpoolPlace) { return {"memory", "disk"}; }

// The values of Status (pipeline/model/flag.h) in the same order; a test compares them.
enum class DocumentStatus : std::uint8_t {
  kRejected,
  kDeleted,
  kUnchanged,
  kEmpty,
  kExactDuplicate,
  kTooShort,
  kNearDuplicate,
  kUnique,
};
constexpr LabelWords<8> names(DocumentStatus) {
  return {"rejected",        "deleted",   "unchanged",      "empty",
          "exact_duplicate", "too_short", "near_duplicate", "unique"};
}

// The values of NoticeKind (pipeline/model/notice.h) in the same order; asserted where they meet.
enum class Notice : std::uint8_t {
  kUnreadTime,
  kReplacedBytes,
  kHalfSurrogate,
  kUtf16,
  kSchemaFrame,
  kJsonArray,
  kCharset,
};
constexpr LabelWords<7> names(Notice) {
  return {"unread_time",  "replaced_bytes", "half_surrogate", "utf16",
          "schema_frame", "json_array",     "charset"};
}

enum class BatchStage : std::uint8_t {
  kDecode,
  kNormalise,
  kTransfer,
  kSketch,
  kLookUp,
  kFilter,
  kVerify,
  kWrite,
  kProduce,
  kCommit,
};
constexpr LabelWords<10> names(BatchStage) {
  return {"decode", "normalise", "transfer", "sketch",  "lookup",
          "filter", "verify",    "write",    "produce", "commit"};
}

enum class CandidateStep : std::uint8_t {
  kNominated,
  kPassedOneBit,
  kPassedEstimate,
  kPassedBucket,
  kConfirmed,
};
constexpr LabelWords<5> names(CandidateStep) {
  return {"nominated", "passed_one_bit", "passed_estimate", "passed_bucket", "confirmed"};
}

// Of the online quality check.
enum class PairKind : std::uint8_t { kFlagged, kNearMiss };
constexpr LabelWords<2> names(PairKind) { return {"flagged", "near_miss"}; }

enum class SkippedPair : std::uint8_t { kNoText, kBusy };
constexpr LabelWords<2> names(SkippedPair) { return {"no_text", "busy"}; }

enum class DeliveredTo : std::uint8_t { kOutput, kDeadLetter };
constexpr LabelWords<2> names(DeliveredTo) { return {"output", "dead_letter"}; }

// The names of reason_name (pipeline/model/record.h), then the reasons of delivery; a test
// compares.
enum class DeadLetterReason : std::uint8_t {
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
  kTooLargeToPassOn,
  kGoneBeforeItWasPassedOn,
};
constexpr LabelWords<12> names(DeadLetterReason) {
  return {"invalid_json",   "missing_id",           "invalid_id",
          "missing_text",   "invalid_text",         "duplicate_field",
          "invalid_escape", "invalid_utf8",         "record_too_large",
          "text_too_large", "too_large_to_pass_on", "gone_before_it_was_passed_on"};
}

// What a message of the log is to its readers (service/cluster/log_message.h).
enum class LogUse : std::uint8_t {
  kCounted,
  kSeen,
  kGap,
  kVoidPlacement,
  kOtherRule,
  kOtherCluster,
  kDamaged,
};
constexpr LabelWords<7> names(LogUse) {
  return {"counted", "seen", "gap", "void_placement", "other_rule", "other_cluster", "damaged"};
}

// What an answer of a shard is to a resolver.
enum class AnswerUse : std::uint8_t { kKept, kLate, kIdle, kAhead, kForeign, kDamaged };
constexpr LabelWords<6> names(AnswerUse) {
  return {"kept", "late", "idle", "ahead", "foreign", "damaged"};
}

// Why a resolver asks shards to answer again.
enum class AgainReason : std::uint8_t { kStart, kShortList, kStall };
constexpr LabelWords<3> names(AgainReason) { return {"start", "short_list", "stall"}; }

// The values of RecordKind (pipeline/model/record.h) in the same order.
enum class SketchedKind : std::uint8_t { kDocument, kDelete, kRejected };
constexpr LabelWords<3> names(SketchedKind) { return {"document", "delete", "rejected"}; }

enum class AbortReason : std::uint8_t {
  kRetriable,
  kAbortable,
  kFatal,
  kExpired,
  kFenced,
  kDenied
};
constexpr LabelWords<6> names(AbortReason) {
  return {"retriable", "abortable", "fatal", "expired", "fenced", "denied"};
}

enum class IndexWork : std::uint8_t { kFlush, kMerge };
constexpr LabelWords<2> names(IndexWork) { return {"flush", "merge"}; }

enum class RemovedBy : std::uint8_t { kEnded, kExpired };
constexpr LabelWords<2> names(RemovedBy) { return {"ended", "expired"}; }

enum class BackupOutcome : std::uint8_t { kSuccess, kFailure };
constexpr LabelWords<2> names(BackupOutcome) { return {"success", "failure"}; }

enum class MemoryPart : std::uint8_t {
  kBlockCache,
  kWriteBuffers,
  kTableReaders,
  kMemtables,
  kFilters,
  kOneBitSketches,
};
constexpr LabelWords<6> names(MemoryPart) {
  return {"block_cache", "write_buffers", "table_readers", "recent", "filters", "one_bit_sketches"};
}

// The values of Family (storage/rocksdb/families.h) in the same order; a test compares them.
enum class ColumnFamily : std::uint8_t {
  kDefault,
  kMeta,
  kDocs,
  kIds,
  kIndex,
  kTexts,
  kOutbox,
  kBits,
  kEnded,
  kCopies,
};
constexpr LabelWords<10> names(ColumnFamily) {
  return {"default", "meta", "docs", "ids", "index", "texts", "outbox", "bits", "ended", "copies"};
}

enum class DatabaseJob : std::uint8_t { kFlush, kCompaction };
constexpr LabelWords<2> names(DatabaseJob) { return {"flush", "compaction"}; }

enum class GpuPhase : std::uint8_t { kCopyIn, kKernel, kCopyOut };
constexpr LabelWords<3> names(GpuPhase) { return {"copy_in", "kernel", "copy_out"}; }

// The words of a label for the catalogue.
template <class Label>
std::vector<std::string_view> label_values() {
  const auto words = names(Label{});
  return {words.begin(), words.end()};
}

// Calls visit(value) for each value of a label.
template <class Label, class Visit>
void for_each_label(Visit visit) {
  for (std::size_t i = 0; i < names(Label{}).size(); ++i) visit(static_cast<Label>(i));
}

// A value of any of these labels; by default that of a metric without a label.
class LabelValue {
 public:
  LabelValue() = default;
  template <class Label>
    requires requires(Label label) { names(label); }
  LabelValue(Label label) : place_(static_cast<std::size_t>(label)) {}

  // The position among the words of the label.
  std::size_t place() const { return place_; }

 private:
  std::size_t place_ = 0;
};

}  // namespace neardup
