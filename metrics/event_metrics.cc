#include "metrics/event_metrics.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace neardup {
namespace {

// `totals`: by Label.
template <class Label, class Counts>
void advance_all(MetricRegistry& registry, Metric metric, const Counts& totals) {
  static_assert(names(Label{}).size() == std::tuple_size_v<Counts>);
  for_each_label<Label>([&](Label label) {
    registry.advance(metric, static_cast<double>(totals[static_cast<std::size_t>(label)]), label);
  });
}

}  // namespace

void EventMetrics::observe_stage(BatchStage stage, double seconds) {
  registry_.observe(Metric::kStageDuration, seconds, stage);
}

void EventMetrics::count_documents(const StoredBatchReport& batch) {
  advance_all<Status>(registry_, Metric::kDocuments, batch.documents);
  advance_all<Status>(registry_, Metric::kDocumentBytes, batch.text_bytes);
  registry_.advance(Metric::kTimeStepsCut, static_cast<double>(batch.time_steps_cut));
  registry_.observe(Metric::kSimilarity, batch.similarities);
  if (batch.batch_documents == 0) return;
  const auto documents = static_cast<double>(batch.batch_documents);
  registry_.observe(Metric::kBatchDocuments, documents);
  registry_.set(Metric::kDuplicatesRatio, static_cast<double>(batch.batch_duplicates) / documents);
}

void EventMetrics::count_notices(const NoticeCounts& records) {
  for_each_label<NoticeKind>([&](NoticeKind kind) {
    const auto count = static_cast<double>(records[static_cast<std::size_t>(kind)]);
    registry_.add(Metric::kNotices, count, kind);
  });
}

void EventMetrics::batch_stored(const StoredBatchReport& batch) {
  count_documents(batch);
  advance_all<CandidateStep>(registry_, Metric::kCandidates, batch.candidates);
  registry_.advance(Metric::kInputBytes, static_cast<double>(batch.input_bytes));
  count_notices(batch.notices);
  registry_.add(
      Metric::kInvalidUtf8Records,
      static_cast<double>(batch.notices[static_cast<std::size_t>(NoticeKind::kReplacedBytes)]));
  registry_.advance(Metric::kPostingsRead, static_cast<double>(batch.postings));
  registry_.advance(Metric::kBucketCapsHit, static_cast<double>(batch.caps_hit));
  const std::vector<double> sizes(batch.bucket_sizes.begin(), batch.bucket_sizes.end());
  registry_.observe(Metric::kBucketPostings, sizes, static_cast<double>(batch.bucket_postings));
  if (batch.batch_documents == 0) return;
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

void EventMetrics::count_dead_letters(const CountsByReason& dead_letters) {
  constexpr auto kReasons = names(DeadLetterReason{});
  for (const auto& [reason, count] : dead_letters) {
    const auto known = std::ranges::find(kReasons, reason);
    registry_.add(Metric::kDeadLetters, static_cast<double>(count),
                  static_cast<DeadLetterReason>(known - kReasons.begin()));
  }
}

void EventMetrics::batch_delivered(const DeliveredBatchReport& batch) {
  count_dead_letters(batch.dead_letters);
  registry_.add(Metric::kMessagesDelivered, static_cast<double>(batch.output_messages),
                DeliveredTo::kOutput);
  registry_.add(Metric::kMessagesDelivered, static_cast<double>(batch.dead_letter_messages()),
                DeliveredTo::kDeadLetter);
  registry_.add(Metric::kTransactions, 1);
  registry_.observe(Metric::kArrivalToFlag, batch.arrival_to_flag);
  registry_.observe(Metric::kRecordAge, batch.record_age);
  observe_stage(BatchStage::kProduce, batch.produce_seconds);
  observe_stage(BatchStage::kCommit, batch.commit_seconds);
}

void EventMetrics::log_message_read(LogUse use) { registry_.add(Metric::kLogMessages, 1, use); }

void EventMetrics::delivery_failed(AbortReason reason) {
  registry_.add(Metric::kTransactionAborts, 1, reason);
}

void EventMetrics::producer_made_anew() { registry_.add(Metric::kProducerRestarts, 1); }

void EventMetrics::batch_appended(const AppendedBatchReport& batch) {
  for_each_label<RecordKind>([&](RecordKind kind) {
    const std::uint64_t records = batch.records[static_cast<std::size_t>(kind)];
    registry_.add(Metric::kSketchedRecords, static_cast<double>(records), kind);
  });
  count_notices(batch.notices);
  registry_.add(Metric::kAppendedMessages, static_cast<double>(batch.messages));
  registry_.add(Metric::kAppendedBytes, static_cast<double>(batch.bytes));
  registry_.observe(Metric::kAppendDuration, batch.append_seconds);
  count_dead_letters(batch.dead_letters);
}

void EventMetrics::source_restarted() { registry_.add(Metric::kSketchedAgain, 1); }

void EventMetrics::append_failed() { registry_.add(Metric::kAppendFailures, 1); }

void EventMetrics::paused(double seconds) { registry_.add(Metric::kSketchingPaused, seconds); }

void EventMetrics::answer_read(AnswerUse use) { registry_.add(Metric::kAnswersRead, 1, use); }

void EventMetrics::answers_asked_for_again(AgainReason reason) {
  registry_.add(Metric::kAskedAgain, 1, reason);
}

void EventMetrics::batch_resolved(const StoredBatchReport& batch) { count_documents(batch); }

void EventMetrics::resolver_stands(std::uint64_t window, std::uint64_t epoch) {
  registry_.set(Metric::kResolverWindow, static_cast<double>(window));
  registry_.set(Metric::kPlacementEpoch, static_cast<double>(epoch));
}

void EventMetrics::decisions_applied(const AppliedReport& report) {
  registry_.add(Metric::kAppliedBatches, static_cast<double>(report.batches));
  registry_.add(Metric::kAppliedRecords, static_cast<double>(report.records));
  registry_.add(Metric::kAnsweredAgain, static_cast<double>(report.again));
  registry_.observe(Metric::kApplyDuration, report.apply_seconds);
  registry_.observe(Metric::kApplyCommitDuration, report.commit_seconds);
}

void EventMetrics::chunk_answered(const AnsweredReport& report) {
  registry_.add(Metric::kAnsweredRecords, static_cast<double>(report.records));
  registry_.add(Metric::kAnswerMessages, 1);
  registry_.add(Metric::kAnswerBytes, static_cast<double>(report.bytes));
  registry_.observe(Metric::kAnswerDuration, report.seconds);
}

void EventMetrics::answering_failed() { registry_.add(Metric::kAnswerFailures, 1); }

}  // namespace neardup
