#include "metrics/catalogue.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;
using Values = std::vector<std::string_view>;

// As status_name and reason_name have them; a test compares.
const Values kStatusValues = {"rejected",        "deleted",   "unchanged",      "empty",
                              "exact_duplicate", "too_short", "near_duplicate", "unique"};
const Values kReasonValues = {
    "invalid_json",     "missing_id",      "invalid_id",           "missing_text",
    "invalid_text",     "duplicate_field", "invalid_escape",       "invalid_utf8",
    "record_too_large", "text_too_large",  "too_large_to_pass_on", "gone_before_it_was_passed_on"};
const Values kFamilyValues = {"default", "meta",   "docs", "ids",  "index",
                              "texts",   "outbox", "bits", "ended"};
const std::vector<MetricLabel> kPartition = {{"topic", {}, "topic of `kafka.topics`"},
                                             {"partition", {}, "partition of this instance"}};

const std::vector<double> kBatchBounds = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};
const std::vector<double> kStageBounds = {0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1,
                                          0.3,    1,      3,     10,    30,   100};
const std::vector<double> kDelayBounds = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,   2.5,
                                          5,    10,    30,   60,  300,  900, 3600};
const std::vector<double> kAgeBounds = {0.05, 0.1, 0.25, 0.5, 1,    2.5,   5,    10,
                                        30,   60,  300,  900, 3600, 21600, 86400};
const std::vector<double> kBucketBounds = {0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023};
const std::vector<double> kSimilarityBounds = {0.5,   0.6, 0.7,   0.75, 0.8,   0.825, 0.85,
                                               0.875, 0.9, 0.925, 0.95, 0.975, 0.99,  1};

std::vector<MetricSection> make_sections() {
  return {
      {"Service",
       "What runs, and whether it does.",
       {
           {Metric::kBuildInfo,
            kGauge,
            kScrape,
            "neardup_build_info",
            "",
            "Always 1; the labels tell the version of neardup and of the libraries that matter "
            "most.",
            {{"version", {}, "of neardup"},
             {"rocksdb", {}, "its version"},
             {"librdkafka", {}, "its version"}}},
           {Metric::kServiceInfo,
            kGauge,
            kScrape,
            "neardup_service_info",
            "",
            "Always 1 while serving; the labels tell the fingerprint of the rule and what "
            "sketches.",
            {{"rule", {}, "16 hex digits, as in every flag"},
             {"backend", {}, "`cpu (avx512, 2 threads)` and the like"}}},
           {Metric::kServiceState,
            kGauge,
            kScrape,
            "neardup_service_state",
            "",
            "1 for the state in which the service is, 0 for the others. recovering: what was "
            "stored "
            "before a crash is delivered; replaying: a restored state decides again what was "
            "delivered already.",
            {{"state", {"starting", "recovering", "replaying", "serving", "draining"}}}},
           {Metric::kReady, kGauge, kScrape, "neardup_ready", "",
            "1 when /readyz answers 200, else 0."},
           {Metric::kHealthy, kGauge, kScrape, "neardup_healthy", "",
            "1 when /healthz answers 200, else 0."},
       }},
      {"Documents",
       "What came in, and what became of it. Counted when a batch is stored, since the start.",
       {
           {Metric::kDocuments,
            kCounter,
            kEvents,
            "neardup_documents_total",
            "documents",
            "Records decided, by the status of their flag.",
            {{"status", kStatusValues}}},
           {Metric::kDocumentBytes,
            kCounter,
            kEvents,
            "neardup_document_bytes_total",
            "bytes",
            "Bytes of normalised text of the records decided, by the status of their flag.",
            {{"status", kStatusValues}}},
           {Metric::kInputBytes, kCounter, kEvents, "neardup_input_bytes_total", "bytes",
            "Bytes of text as it came, before it was normalised."},
           {Metric::kDuplicatesRatio, kGauge, kEvents, "neardup_duplicates_ratio", "ratio",
            "Share of exact and near-duplicates in the last batch with documents; for longer times "
            "divide rates of neardup_documents_total."},
           {Metric::kBatchDocuments,
            kHistogram,
            kEvents,
            "neardup_batch_documents",
            "documents",
            "Records in a batch that was stored; its count is the number of batches.",
            {},
            kBatchBounds},
           {Metric::kArrivalToFlag,
            kHistogram,
            kEvents,
            "neardup_arrival_to_flag_seconds",
            "seconds",
            "From the moment a record was read until its flag was committed in Kafka.",
            {},
            kDelayBounds},
           {Metric::kRecordAge,
            kHistogram,
            kEvents,
            "neardup_record_age_seconds",
            "seconds",
            "Age of a record by its Kafka timestamp when its flag was committed: the delay that "
            "readers of flags see, with the time that it waited in the topic. Records without a "
            "timestamp are left out.",
            {},
            kAgeBounds},
           {Metric::kLastSeq, kGauge, kEvents, "neardup_last_seq", "",
            "Arrival number of the last record that was stored; a state has 2^40 of them."},
           {Metric::kTimeStepsCut, kCounter, kEvents, "neardup_time_steps_cut_total", "documents",
            "Documents whose timestamp was further ahead than retention.max_step allows."},
       }},
      {"Stages",
       "Where the time goes.",
       {
           {Metric::kStageDuration,
            kHistogram,
            kEvents,
            "neardup_stage_duration_seconds",
            "seconds",
            "Seconds that a batch spent in each stage, summed over its threads; the sum is the "
            "time "
            "since the start. decode, normalise: their common time is measured, their shares are "
            "estimated from one document in sixteen; sketch: the call of the backend, transfer in "
            "it; "
            "transfer: copies to a GPU and back, by its own clock; lookup: questions to the index; "
            "filter: 1-bit sketches in bulk; verify: comparisons and decisions; write: the synced "
            "write of the state; produce: flags into the transaction; commit: its end.",
            {{"stage",
              {"decode", "normalise", "transfer", "sketch", "lookup", "filter", "verify", "write",
               "produce", "commit"}}},
            kStageBounds},
       }},
      {"Candidates",
       "Why documents are flagged.",
       {
           {Metric::kPostingsRead, kCounter, kEvents, "neardup_postings_read_total", "postings",
            "Postings that look-ups of buckets brought; hints, not all are candidates."},
           {Metric::kBucketPostings,
            kHistogram,
            kEvents,
            "neardup_bucket_postings",
            "postings",
            "Postings of the bands' buckets that were looked up, as far as lsh.bucket_cap lets "
            "read.",
            {},
            kBucketBounds},
           {Metric::kBucketCapsHit, kCounter, kEvents, "neardup_bucket_caps_hit_total", "buckets",
            "Look-ups in which lsh.bucket_cap left documents of a bucket out."},
           {Metric::kCandidates,
            kCounter,
            kEvents,
            "neardup_candidates_total",
            "pairs",
            "Pairs of a document and a candidate that got as far as this step. nominated: they "
            "share "
            "a bucket; passed_one_bit: the 1-bit filter let them through; passed_bucket: the "
            "candidate is live and the values of a band are really equal; passed_estimate: enough "
            "values of the sketches are equal; confirmed: the candidate reaches the threshold.",
            {{"step",
              {"nominated", "passed_one_bit", "passed_estimate", "passed_bucket", "confirmed"}}}},
           {Metric::kSimilarity,
            kHistogram,
            kEvents,
            "neardup_similarity_ratio",
            "ratio",
            "Similarity of near-duplicates to their originals, as in their flags.",
            {},
            kSimilarityBounds},
       }},
      {"Quality",
       "A sample of pairs is compared exactly, on a thread that takes at most 0.2 % of a "
       "core; no flag waits for it or changes by it. A pair is checked when the text of its "
       "original is at hand: of "
       "every sixteenth document that is stored the text is held, the latest in a 64th of "
       "`storage.memory`, "
       "whether `storage.keep_texts` is set or not. So the estimates are of duplicates that follow "
       "their "
       "originals within some 512 MiB of stored text, at the default of 2 GiB, and of what the "
       "running "
       "process has seen; pairs of one original are not independent, so with few originals "
       "the estimates vary more than the number of pairs suggests. Near-duplicates only: exact "
       "ones are decided by a 128-bit hash.",
       {
           {Metric::kPrecision, kGauge, kScrape, "neardup_quality_precision_ratio", "ratio",
            "Of the sampled near-duplicates, the share whose exact similarity to their original "
            "reaches "
            "the threshold, among the latest 4 096 pairs; NaN without samples."},
           {Metric::kPrecisionSamples, kGauge, kScrape, "neardup_quality_precision_samples",
            "pairs", "Pairs behind neardup_quality_precision_ratio."},
           {Metric::kRecall, kGauge, kScrape, "neardup_quality_recall_ratio", "ratio",
            "Recall near the threshold of what met in a bucket: of the latest 4 096 pairs, flagged "
            "and "
            "near misses, those whose exact similarity is at most 0.05 above the threshold; the "
            "share "
            "of them that was flagged. Pairs that meet in no bucket are not seen here. "
            "NaN without samples."},
           {Metric::kRecallSamples, kGauge, kScrape, "neardup_quality_recall_samples", "pairs",
            "Pairs behind neardup_quality_recall_ratio."},
           {Metric::kQualityPairs,
            kCounter,
            kScrape,
            "neardup_quality_pairs_total",
            "pairs",
            "Pairs compared exactly. flagged: a near-duplicate and its original; near_miss: a "
            "document that was not flagged and a candidate just below what it needed.",
            {{"kind", {"flagged", "near_miss"}}}},
           {Metric::kQualitySkipped,
            kCounter,
            kScrape,
            "neardup_quality_pairs_skipped_total",
            "pairs",
            "Sampled pairs that were not compared. no_text: the text of the original is no longer "
            "held, or one of the texts is longer than a 16th of the memory for them; busy: the "
            "share of CPU time was used up.",
            {{"reason", {"no_text", "busy"}}}},
           {Metric::kQualitySeconds, kCounter, kScrape, "neardup_quality_seconds_total", "seconds",
            "CPU seconds of these comparisons."},
       }},
      {"Kafka and exactly once",
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
            {{"to", {"output", "dead_letter"}}}},
           {Metric::kDeadLetters,
            kCounter,
            kEvents,
            "neardup_dead_letters_total",
            "records",
            "Dead letters in committed transactions, by the reason in their header.",
            {{"reason", kReasonValues}}},
           {Metric::kTransactions, kCounter, kEvents, "neardup_kafka_transactions_total",
            "transactions",
            "Transactions committed, each a batch; with at_least_once: batches delivered."},
           {Metric::kTransactionAborts,
            kCounter,
            kEvents,
            "neardup_kafka_transaction_aborts_total",
            "transactions",
            "Attempts to deliver a batch that failed and are made again with a new producer, by "
            "the "
            "class of the error. retriable: it did not end in time; abortable, fatal: as "
            "librdkafka "
            "says; expired: it lasted too long; fenced, denied: the service ends.",
            {{"reason", {"retriable", "abortable", "fatal", "expired", "fenced", "denied"}}}},
           {Metric::kProducerRestarts, kCounter, kEvents, "neardup_kafka_producer_reinits_total",
            "", "Producers made anew after an error; the first one is not counted."},
           {Metric::kBrokersReachable, kGauge, kScrape, "neardup_kafka_brokers_reachable", "",
            "1 while a broker answers, else 0."},
           {Metric::kOutboxBatches, kGauge, kScrape, "neardup_kafka_outbox_batches", "batches",
            "Batches that are stored and not delivered yet; at most batch.in_flight."},
           {Metric::kLag, kGauge, kScrape, "neardup_kafka_lag_records", "records",
            "Offsets between what is committed and the end of the partition, asked for every 5 "
            "seconds. Markers of transactions count, too.",
            kPartition},
           {Metric::kEndOffset, kGauge, kScrape, "neardup_kafka_end_offset", "",
            "Where the partition ends, asked for every 5 seconds.", kPartition},
           {Metric::kCommittedOffset, kGauge, kScrape, "neardup_kafka_committed_offset", "",
            "The position that was committed last.", kPartition},
           {Metric::kCommitAge, kGauge, kScrape, "neardup_kafka_commit_age_seconds", "seconds",
            "Since the committed position of the partition moved last, or since the start. It "
            "grows where "
            "nothing comes in, too: look at it together with the lag.",
            kPartition},
       }},
      {"Recovery",
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
       }},
      {"Index and state",
       "What is remembered.",
       {
           {Metric::kIndexDocuments, kGauge, kScrape, "neardup_index_documents", "documents",
            "Documents that later ones are compared with."},
           {Metric::kIndexIds, kGauge, kScrape, "neardup_index_ids", "ids",
            "Live ids, of flagged documents too."},
           {Metric::kIndexPostings, kGauge, kScrape, "neardup_index_postings", "postings",
            "Postings of bands, contents and ids; some may be of documents that are gone."},
           {Metric::kIndexGenerations, kGauge, kScrape, "neardup_index_generations", "generations",
            "Immutable parts of the index on disk; with 32 waiting for a merge, writing waits."},
           {Metric::kIndexMaintenanceRuns,
            kCounter,
            kScrape,
            "neardup_index_maintenance_runs_total",
            "",
            "Recent parts flushed into generations, and generations merged.",
            {{"work", {"flush", "merge"}}}},
           {Metric::kIndexMaintenanceSeconds,
            kCounter,
            kScrape,
            "neardup_index_maintenance_seconds_total",
            "seconds",
            "Time that this took, behind the back of look-ups.",
            {{"work", {"flush", "merge"}}}},
           {Metric::kIndexWaitSeconds, kCounter, kScrape, "neardup_index_wait_seconds_total",
            "seconds", "Time that writing waited for flushes and merges of the index."},
           {Metric::kStateBytes, kGauge, kScrape, "neardup_state_bytes", "bytes",
            "All files of the state on disk."},
           {Metric::kRemovedDocuments,
            kCounter,
            kScrape,
            "neardup_index_removed_documents_total",
            "documents",
            "Documents that left the index. ended: deleted, or their id has a new version; "
            "expired: "
            "by retention.",
            {{"reason", {"ended", "expired"}}}},
           {Metric::kDeletesByCommand, kCounter, kScrape, "neardup_deletes_by_command_total", "ids",
            "Ids deleted by `neardup delete` while this service was running."},
           {Metric::kRetentionWatermark, kGauge, kScrape, "neardup_retention_watermark_seq", "",
            "Documents of smaller arrival numbers are forgotten; 0: none is."},
           {Metric::kStreamTime, kGauge, kEvents, "neardup_stream_time_seconds", "seconds",
            "The clock of retention: the latest time of the records, since 1970; 0: no record told "
            "one."},
       }},
      {"Memory and disk",
       "Limits, and how near they are.",
       {
           {Metric::kMemoryBytes,
            kGauge,
            kScrape,
            "neardup_memory_bytes",
            "bytes",
            "Memory of the state by part. block_cache: blocks of RocksDB that were read; "
            "write_buffers: rows not yet in files; table_readers: block indexes of open files; "
            "recent: "
            "postings since the last flush; filters, one_bit_sketches: for look-ups.",
            {{"part",
              {"block_cache", "write_buffers", "table_readers", "recent", "filters",
               "one_bit_sketches"}}}},
           {Metric::kMemoryBudget, kGauge, kScrape, "neardup_memory_budget_bytes", "bytes",
            "storage.memory."},
           {Metric::kMemoryLimit, kGauge, kScrape, "neardup_memory_limit_bytes", "bytes",
            "Memory that the process may use: that of its control group, or of the machine."},
           {Metric::kDiskFree, kGauge, kScrape, "neardup_disk_free_bytes", "bytes",
            "Free on the file system of the state, for a plain user."},
           {Metric::kDiskSize, kGauge, kScrape, "neardup_disk_size_bytes", "bytes",
            "Size of the file system of the state."},
       }},
      {"RocksDB",
       "The database under the state.",
       {
           {Metric::kFamilyBytes,
            kGauge,
            kScrape,
            "neardup_rocksdb_live_file_bytes",
            "bytes",
            "Files in use, by column family (docs/formats/state.md).",
            {{"family", kFamilyValues}}},
           {Metric::kStallSeconds, kCounter, kScrape, "neardup_rocksdb_stall_seconds_total",
            "seconds", "Time that writes were held up by RocksDB."},
           {Metric::kWriteStopped, kGauge, kScrape, "neardup_rocksdb_write_stopped", "",
            "1 while RocksDB accepts no writes, else 0."},
           {Metric::kDelayedWriteRate, kGauge, kScrape,
            "neardup_rocksdb_delayed_write_bytes_per_second", "bytes per second",
            "The rate to which RocksDB slows writes; 0: it does not."},
           {Metric::kBackgroundErrors, kCounter, kScrape, "neardup_rocksdb_background_errors_total",
            "errors", "Failed flushes and compactions; the service ends at the first."},
           {Metric::kCacheHits, kCounter, kScrape, "neardup_rocksdb_block_cache_hits_total",
            "blocks", "Blocks found in the block cache."},
           {Metric::kCacheMisses, kCounter, kScrape, "neardup_rocksdb_block_cache_misses_total",
            "blocks", "Blocks that had to be read from files."},
           {Metric::kCompactionPendingBytes, kGauge, kScrape,
            "neardup_rocksdb_compaction_pending_bytes", "bytes",
            "Bytes that compaction should rewrite, as RocksDB estimates."},
           {Metric::kRunningJobs,
            kGauge,
            kScrape,
            "neardup_rocksdb_running_jobs",
            "",
            "Flushes and compactions of RocksDB at work.",
            {{"work", {"flush", "compaction"}}}},
           {Metric::kCompactionReadBytes, kCounter, kScrape,
            "neardup_rocksdb_compaction_read_bytes_total", "bytes", "Bytes read by compaction."},
           {Metric::kCompactionWrittenBytes, kCounter, kScrape,
            "neardup_rocksdb_compaction_written_bytes_total", "bytes",
            "Bytes written by compaction."},
           {Metric::kFlushWrittenBytes, kCounter, kScrape,
            "neardup_rocksdb_flush_written_bytes_total", "bytes", "Bytes written by flushes."},
           {Metric::kLogWrittenBytes, kCounter, kScrape, "neardup_rocksdb_log_written_bytes_total",
            "bytes", "Bytes written to the write-ahead log."},
           {Metric::kLogSyncs, kCounter, kScrape, "neardup_rocksdb_log_syncs_total", "",
            "Syncs of the write-ahead log."},
       }},
      {"GPU",
       "Zeros where the backend is the CPU.",
       {
           {Metric::kGpuActive, kGauge, kScrape, "neardup_gpu_active", "",
            "1 while documents are sketched on a GPU; 0 on the CPU, and while a failed GPU waits "
            "for "
            "being tried again."},
           {Metric::kGpuSeconds,
            kCounter,
            kScrape,
            "neardup_gpu_seconds_total",
            "seconds",
            "Time of the GPU by its own clock.",
            {{"phase", {"copy_in", "kernel", "copy_out"}}}},
           {Metric::kGpuPieces, kCounter, kScrape, "neardup_gpu_pieces_total", "",
            "Pieces of work that were copied, computed and copied back as one."},
           {Metric::kGpuFailures, kCounter, kScrape, "neardup_gpu_failures_total", "",
            "Failures of the GPU; after each the CPU does the work."},
           {Metric::kGpuFallbackDocuments, kCounter, kScrape,
            "neardup_gpu_fallback_documents_total", "documents",
            "Documents sketched on the CPU because the GPU had failed."},
           {Metric::kGpuMemory, kGauge, kScrape, "neardup_gpu_memory_bytes", "bytes",
            "Memory of the GPU that neardup holds."},
       }},
      {"Process",
       "By the names that all exporters use.",
       {
           {Metric::kCpuSeconds, kCounter, kScrape, "process_cpu_seconds_total", "seconds",
            "User and system time of the process."},
           {Metric::kResidentBytes, kGauge, kScrape, "process_resident_memory_bytes", "bytes",
            "Memory of the process that is in RAM."},
           {Metric::kStartTime, kGauge, kScrape, "process_start_time_seconds", "seconds",
            "When the process began, since 1970."},
           {Metric::kOpenFiles, kGauge, kScrape, "process_open_fds", "", "Open file descriptors."},
           {Metric::kMostOpenFiles, kGauge, kScrape, "process_max_fds", "",
            "Open file descriptors that the process may have."},
       }},
  };
}

}  // namespace

std::string_view type_name(MetricType type) {
  switch (type) {
    case kCounter:
      return "counter";
    case kGauge:
      return "gauge";
    case kHistogram:
      return "histogram";
  }
  return "";
}

const std::vector<MetricSection>& metric_sections() {
  static const std::vector<MetricSection> sections = make_sections();
  return sections;
}

const MetricInfo& metric_info(Metric id) {
  static const std::vector<const MetricInfo*> by_id = [] {
    std::vector<const MetricInfo*> all;
    for (const MetricSection& section : metric_sections()) {
      for (const MetricInfo& metric : section.metrics) all.push_back(&metric);
    }
    return all;
  }();
  return *by_id.at(static_cast<std::size_t>(id));
}

}  // namespace neardup
