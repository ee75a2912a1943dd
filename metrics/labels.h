// The listed values of labels: an enum for each, and the words of its values as they are exposed.
// Those of documents are the enums of pipeline/model: Status, RecordKind and NoticeKind.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/flag.h"
#include "pipeline/model/notice.h"
#include "pipeline/model/record.h"

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

// The full buffer for which a request was rejected.
enum class HttpRoom : std::uint8_t { kAnswer, kBody };
constexpr LabelWords<2> names(HttpRoom) { return {"answer", "body"}; }

enum class SpoolPlace : std::uint8_t { kMemory, kDisk };
constexpr LabelWords<2> names(SpoolPlace) { return {"memory", "disk"}; }

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

// Those of RejectReason but kNone, then the reasons of delivery.
enum class DeadLetterReason : std::uint8_t {};
inline constexpr auto kDeadLetterReasonNames = [] {
  LabelWords<kRejectReasonNames.size() + 1> words{};
  auto next = std::copy(kRejectReasonNames.begin() + 1, kRejectReasonNames.end(), words.begin());
  *next++ = "too_large_to_pass_on";
  *next = "gone_before_it_was_passed_on";
  return words;
}();
constexpr std::span<const std::string_view> names(DeadLetterReason) {
  return kDeadLetterReasonNames;
}

// The use of a message of the log for its readers (service/cluster/log_message.h).
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

// The use of an answer of a shard for a resolver.
enum class AnswerUse : std::uint8_t { kKept, kLate, kIdle, kAhead, kForeign, kDamaged };
constexpr LabelWords<6> names(AnswerUse) {
  return {"kept", "late", "idle", "ahead", "foreign", "damaged"};
}

// Why a resolver asks shards to answer again.
enum class AgainReason : std::uint8_t { kStart, kShortList, kStall };
constexpr LabelWords<3> names(AgainReason) { return {"start", "short_list", "stall"}; }

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

// The values of Family (storage/rocksdb/families.h) in the same order, as is asserted there.
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
