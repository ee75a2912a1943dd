#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;
const std::vector<MetricLabel> kPartition = {{"topic", {}, "topic of `kafka.topics`"},
                                             {"partition", {}, "partition of this instance"}};

}  // namespace

MetricSection kafka_and_exactly_once_metrics() {
  return {
      "Kafka and exactly once",
      "What is read, delivered and committed.",
      {
          {Metric::kRecordsRead, kCounter, kEvents, "neardup_kafka_records_read_total", "records",
           "Records read from the input topics."},
          {Metric::kBytesRead, kCounter, kEvents, "neardup_kafka_read_bytes_total", "bytes",
           "Bytes of keys, values and headers of the records read."},
          {Metric::kMessagesDelivered,
           kCounter,
           kEvents,
           "neardup_kafka_messages_delivered_total",
           "messages",
           "Messages in committed transactions.",
           {{"to", label_values<DeliveredTo>()}}},
          {Metric::kDeadLetters,
           kCounter,
           kEvents,
           "neardup_dead_letters_total",
           "records",
           "Dead letters in committed transactions, by the reason in their header.",
           {{"reason", label_values<DeadLetterReason>()}}},
          {Metric::kTransactions, kCounter, kEvents, "neardup_kafka_transactions_total",
           "transactions",
           "Transactions committed, each a batch; with at_least_once: batches delivered."},
          {Metric::kTransactionAborts,
           kCounter,
           kEvents,
           "neardup_kafka_transaction_aborts_total",
           "transactions",
           "Attempts to deliver a batch that failed and are made again with a new producer, by "
           "the class of the error. retriable: it did not end in time; abortable, fatal: as "
           "librdkafka says; expired: it lasted too long; fenced, denied: the service ends.",
           {{"reason", label_values<AbortReason>()}}},
          {Metric::kProducerRestarts, kCounter, kEvents, "neardup_kafka_producer_reinits_total", "",
           "Producers recreated after an error; the first one is not counted."},
          {Metric::kBrokersReachable, kGauge, kScrape, "neardup_kafka_brokers_reachable", "",
           "1 while a broker answers, else 0."},
          {Metric::kOutboxBatches, kGauge, kScrape, "neardup_kafka_outbox_batches", "batches",
           "Batches that are stored and not delivered yet; at most batch.in_flight."},
          {Metric::kLag, kGauge, kScrape, "neardup_kafka_lag_records", "records",
           "Offsets between what is committed and the end of the partition, asked for every 5 "
           "seconds. Markers of transactions count, too.",
           kPartition},
          {Metric::kHeadroom, kGauge, kScrape, "neardup_kafka_headroom_records", "records",
           "Offsets between the oldest record of the partition and what is committed, asked for "
           "every 5 seconds: so far back records are still there for a backup that is restored, "
           "or a process that was away. Absent until a record was deleted. Where the lag is "
           "larger, records may be deleted before they are read.",
           kPartition},
          {Metric::kEndOffset, kGauge, kScrape, "neardup_kafka_end_offset", "",
           "Where the partition ends, asked for every 5 seconds.", kPartition},
          {Metric::kCommittedOffset, kGauge, kScrape, "neardup_kafka_committed_offset", "",
           "The position that was committed last.", kPartition},
          {Metric::kCommitAge, kGauge, kScrape, "neardup_kafka_commit_age_seconds", "seconds",
           "Since the committed position of the partition moved last, or since the start. It "
           "grows where nothing comes in, too: look at it together with the lag.",
           kPartition},
      }};
}

MetricSection recovery_metrics() {
  return {
      "Recovery",
      "What a crash has left undone, and a restored state has to do again.",
      {
          {Metric::kRecoveryDuration, kGauge, kScrape, "neardup_recovery_duration_seconds",
           "seconds",
           "From the start of the process to serving; while recovering, the time so far."},
          {Metric::kRecoveryBatches, kGauge, kScrape, "neardup_recovery_batches", "batches",
           "Stored batches that this start had to deliver."},
          {Metric::kRecoveryBatchesSent, kGauge, kScrape, "neardup_recovery_batches_sent",
           "batches", "Of neardup_recovery_batches, those that are delivered."},
          {Metric::kReplayRecords, kGauge, kScrape, "neardup_recovery_replay_records", "records",
           "Offsets that a restored state has still to decide again before new records are "
           "flagged."},
      }};
}

}  // namespace neardup
