#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;

const std::vector<double> kSeconds = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                      0.025,  0.05,    0.1,    0.25,  0.5,    1,     2.5};

}  // namespace

MetricSection shard_metrics() {
  return {
      "Shard",
      "What a shard of a cluster applies and answers; 0 in other roles.",
      {
          {Metric::kAppliedBatches, kCounter, kEvents, "neardup_shard_applied_batches_total",
           "batches", "Decided batches that are in the state."},
          {Metric::kAppliedRecords, kCounter, kEvents, "neardup_shard_applied_records_total",
           "records",
           "Records of these batches, those whose documents other shards keep among "
           "them."},
          {Metric::kAnsweredAgain, kCounter, kEvents, "neardup_shard_again_total", "",
           "Times that the resolver has asked for answers anew."},
          {Metric::kApplyDuration,
           kHistogram,
           kEvents,
           "neardup_shard_apply_seconds",
           "seconds",
           "Work on the decided batches of one commit, before it.",
           {},
           kSeconds},
          {Metric::kApplyCommitDuration,
           kHistogram,
           kEvents,
           "neardup_shard_commit_seconds",
           "seconds",
           "A commit to the state.",
           {},
           kSeconds},
          {Metric::kAnsweredRecords, kCounter, kEvents, "neardup_shard_answered_records_total",
           "records", "Records that were looked up, those that were looked up again among them."},
          {Metric::kAnswerMessages, kCounter, kEvents, "neardup_shard_answers_total", "messages",
           "Answers sent, each about the records of one message of the log."},
          {Metric::kAnswerBytes, kCounter, kEvents, "neardup_shard_answer_bytes_total", "bytes",
           "Bytes of these messages."},
          {Metric::kAnswerDuration,
           kHistogram,
           kEvents,
           "neardup_shard_answer_seconds",
           "seconds",
           "Looking up the records of one message of the log, and handing the answer to the "
           "client of Kafka.",
           {},
           kSeconds},
          {Metric::kAnswerFailures, kCounter, kEvents, "neardup_shard_answer_failures_total", "",
           "Answers refused or not acknowledged in time: what is not decided is answered again "
           "with a new producer."},
      }};
}

}  // namespace neardup
