#include "metrics/event_metrics.h"

#include <algorithm>
#include <numeric>

namespace neardup {
namespace {

enum MessageKind : std::uint8_t { kOutput, kDeadLetter };  // of Metric::kMessagesDelivered

template <class Counts>
void advance_all(MetricRegistry& registry, Metric metric, const Counts& totals) {
  for (std::size_t i = 0; i < totals.size(); ++i) {
    registry.advance(metric, static_cast<double>(totals[i]), i);
  }
}

}  // namespace

void EventMetrics::observe_stage(BatchStage stage, double seconds) {
  registry_.observe(Metric::kStageDuration, seconds, static_cast<std::size_t>(stage));
}

void EventMetrics::batch_stored(const StoredBatchReport& batch) {
  advance_all(registry_, Metric::kDocuments, batch.documents);
  advance_all(registry_, Metric::kDocumentBytes, batch.text_bytes);
  advance_all(registry_, Metric::kCandidates, batch.candidates);
  registry_.advance(Metric::kInputBytes, static_cast<double>(batch.input_bytes));
  registry_.advance(Metric::kPostingsRead, static_cast<double>(batch.postings));
  registry_.advance(Metric::kBucketCapsHit, static_cast<double>(batch.caps_hit));
  registry_.advance(Metric::kTimeStepsCut, static_cast<double>(batch.time_steps_cut));
  const std::vector<double> sizes(batch.bucket_sizes.begin(), batch.bucket_sizes.end());
  registry_.observe(Metric::kBucketPostings, sizes, static_cast<double>(batch.bucket_postings));
  registry_.observe(Metric::kSimilarity, batch.similarities);
  if (batch.batch_documents == 0) return;
  const auto documents = static_cast<double>(batch.batch_documents);
  registry_.observe(Metric::kBatchDocuments, documents);
  registry_.set(Metric::kDuplicatesRatio, static_cast<double>(batch.batch_duplicates) / documents);
  for (std::size_t i = 0; i < batch.seconds.size(); ++i) {
    observe_stage(static_cast<BatchStage>(i), batch.seconds[i]);
  }
}

void EventMetrics::state_stands(std::uint64_t last_seq, std::int64_t stream_time_ms) {
  registry_.set(Metric::kLastSeq, static_cast<double>(last_seq));
  registry_.set(Metric::kStreamTime, static_cast<double>(stream_time_ms) / 1e3);
}

void EventMetrics::records_read(std::uint64_t records, std::uint64_t bytes) {
  registry_.add(Metric::kRecordsRead, static_cast<double>(records));
  registry_.add(Metric::kBytesRead, static_cast<double>(bytes));
}

void EventMetrics::batch_delivered(const DeliveredBatchReport& batch) {
  const auto& reasons = metric_info(Metric::kDeadLetters).labels.front().values;
  for (const auto& [reason, count] : batch.dead_letters) {
    const auto known = std::ranges::find(reasons, reason);
    registry_.add(Metric::kDeadLetters, static_cast<double>(count),
                  static_cast<std::size_t>(known - reasons.begin()));
  }
  registry_.add(Metric::kMessagesDelivered, static_cast<double>(batch.output_messages), kOutput);
  registry_.add(Metric::kMessagesDelivered, static_cast<double>(batch.dead_letter_messages()),
                kDeadLetter);
  registry_.add(Metric::kTransactions, 1);
  registry_.observe(Metric::kArrivalToFlag, batch.arrival_to_flag);
  registry_.observe(Metric::kRecordAge, batch.record_age);
  observe_stage(BatchStage::kProduce, batch.produce_seconds);
  observe_stage(BatchStage::kCommit, batch.commit_seconds);
}

void EventMetrics::delivery_failed(std::size_t reason) {
  registry_.add(Metric::kTransactionAborts, 1, reason);
}

void EventMetrics::producer_made_anew() { registry_.add(Metric::kProducerRestarts, 1); }

}  // namespace neardup
