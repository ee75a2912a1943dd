// Every metric of the service: name, type, unit, help, labels, buckets. The exposition,
// docs/metrics.md and the tests are derived from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"

namespace neardup {

// In the order of the catalogue.
enum class Metric : std::uint8_t {
  // service
  kBuildInfo,
  kServiceInfo,
  kInstances,
  kServiceState,
  kReady,
  kHealthy,
  kHttpConnections,
  kHttpConnectionsCut,
  kHttpRefused,
  kHttpSpoolBytes,
  kHttpSpoolLimit,
  // documents
  kDocuments,
  kDocumentBytes,
  kInputBytes,
  kInvalidUtf8Records,
  kNotices,
  kDuplicatesRatio,
  kBatchDocuments,
  kArrivalToFlag,
  kRecordAge,
  kLastSeq,
  kTimeStepsCut,
  // stages
  kStageDuration,
  // candidates
  kPostingsRead,
  kBucketPostings,
  kBucketCapsHit,
  kCandidates,
  kSimilarity,
  // quality
  kPrecision,
  kPrecisionSamples,
  kRecall,
  kRecallSamples,
  kQualityPairs,
  kQualitySkipped,
  kQualitySeconds,
  // kafka
  kRecordsRead,
  kBytesRead,
  kMessagesDelivered,
  kDeadLetters,
  kTransactions,
  kTransactionAborts,
  kProducerRestarts,
  kBrokersReachable,
  kOutboxBatches,
  kLag,
  kHeadroom,
  kEndOffset,
  kCommittedOffset,
  kCommitAge,
  // sketcher
  kSketchedRecords,
  kAppendedMessages,
  kAppendedBytes,
  kAppendDuration,
  kAppendFailures,
  kSketchedAgain,
  kSketchingPaused,
  // recovery
  kRecoveryDuration,
  kRecoveryBatches,
  kRecoveryBatchesSent,
  kReplayRecords,
  // cluster
  kLogMessages,
  // resolver
  kAnswersRead,
  kAskedAgain,
  kWaitedForShard,
  kResolverWindow,
  kPlacementEpoch,
  // shard
  kAppliedBatches,
  kAppliedRecords,
  kAnsweredAgain,
  kApplyDuration,
  kApplyCommitDuration,
  kAnsweredRecords,
  kAnswerMessages,
  kAnswerBytes,
  kAnswerDuration,
  kAnswerFailures,
  // index
  kIndexDocuments,
  kIndexIds,
  kIndexPostings,
  kIndexGenerations,
  kIndexMaintenanceRuns,
  kIndexMaintenanceSeconds,
  kIndexWaitSeconds,
  kIndexWaitingSeconds,
  kIndexMergeDone,
  kStateBytes,
  kRemovedDocuments,
  kDeletesByCommand,
  kBackupLatest,
  kBackups,
  kRetentionWatermark,
  kStreamTime,
  // memory and disk
  kMemoryBytes,
  kMemoryBudget,
  kMemoryLimit,
  kDiskFree,
  kDiskSize,
  // rocksdb
  kFamilyBytes,
  kStallSeconds,
  kWriteStopped,
  kDelayedWriteRate,
  kBackgroundErrors,
  kCacheHits,
  kCacheMisses,
  kCompactionPendingBytes,
  kRunningJobs,
  kCompactionReadBytes,
  kCompactionWrittenBytes,
  kFlushWrittenBytes,
  kLogWrittenBytes,
  kLogSyncs,
  // gpu
  kGpuActive,
  kGpuSeconds,
  kGpuPieces,
  kGpuFailures,
  kGpuFallbackDocuments,
  kGpuMemory,
  // process
  kCpuSeconds,
  kResidentBytes,
  kStartTime,
  kOpenFiles,
  kMostOpenFiles,
};

enum class MetricType : std::uint8_t { kCounter, kGauge, kHistogram };
inline constexpr std::array<std::string_view, 3> kMetricTypeNames{"counter", "gauge", "histogram"};
constexpr std::span<const std::string_view> names(MetricType) { return kMetricTypeNames; }

// Where its values come from.
enum class MetricSource : std::uint8_t {
  kEvents,  // counted by a probe when an event happens
  kScrape,  // set by a reader during a scrape
};

struct MetricLabel {
  std::string_view name;
  // All values, in the order of the label's enum (metrics/labels.h); empty: `open` describes them.
  std::vector<std::string_view> values = {};
  std::string_view open = {};
};

struct MetricInfo {
  Metric id;
  MetricType type;
  MetricSource source;
  std::string_view name;
  std::string_view unit;  // "seconds", "documents"; empty: a state or a number without one
  std::string_view help;
  std::vector<MetricLabel> labels = {};
  std::vector<double> buckets = {};  // of a histogram: upper bounds, ascending, without +Inf
};

struct MetricSection {
  std::string_view name;
  std::string_view about;
  std::vector<MetricInfo> metrics;
};

// All metrics by subject, their ids ascending without a gap.
const std::vector<MetricSection>& metric_sections();
const MetricInfo& metric_info(Metric id);

inline constexpr std::size_t kMetrics = static_cast<std::size_t>(Metric::kMostOpenFiles) + 1;

}  // namespace neardup
