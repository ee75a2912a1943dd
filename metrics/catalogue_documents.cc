#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;

const std::vector<MetricLabel> kBuild = {
    {"version", {}, "of neardup"},
    {"revision", {}, "40 hex digits, perhaps -dirty, or unknown"},
    {"rocksdb", {}, "its version"},
    {"librdkafka", {}, "its version"}};
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

}  // namespace

MetricSection service_metrics() {
  return {
      "Service",
      "What runs, and whether it does.",
      {
          {Metric::kBuildInfo, kGauge, kScrape, "neardup_build_info", "",
           "Always 1; the labels tell the version of neardup, the git revision of its sources "
           "and the versions of the libraries that matter most.",
           kBuild},
          {Metric::kServiceInfo,
           kGauge,
           kScrape,
           "neardup_service_info",
           "",
           "Always 1 while serving; the labels are the fingerprint of the rule and the "
           "backend that sketches.",
           {{"rule", {}, "16 hex digits, as in every flag"},
            {"backend", {}, "such as `cpu (avx512)`"}}},
          {Metric::kInstances,
           kGauge,
           kScrape,
           "neardup_instances",
           "",
           "Instances that share the topics (kafka.instances), the same number from each of them: "
           "fewer series than that are instances that Prometheus does not see.",
           {{"group", {}, "as `kafka.group_id`"}}},
          {Metric::kServiceState,
           kGauge,
           kScrape,
           "neardup_service_state",
           "",
           "1 for the state in which the service is, 0 for the others. recovering: what was stored "
           "before a crash is delivered; replaying: a restored state decides again what was "
           "delivered already.",
           {{"state", label_values<ServiceState>()}}},
          {Metric::kReady, kGauge, kScrape, "neardup_ready", "",
           "1 when /readyz answers 200, else 0."},
          {Metric::kHealthy, kGauge, kScrape, "neardup_healthy", "",
           "1 when /healthz answers 200, else 0."},
          {Metric::kHttpConnections, kGauge, kScrape, "neardup_http_connections", "",
           "Connections that are open at the HTTP port, that of the scrape among them."},
          {Metric::kHttpConnectionsCut,
           kCounter,
           kScrape,
           "neardup_http_connections_cut_total",
           "",
           "Connections that the HTTP port closed because a limit was reached. connections, "
           "connections_per_client: to make room for a new one; size: a head or body was too "
           "large; time: a client was too slow to send a request or to take an answer.",
           {{"limit", label_values<ConnectionLimit>()}}},
          {Metric::kHttpRefused,
           kCounter,
           kScrape,
           "neardup_http_refused_total",
           "requests",
           "Requests that the HTTP port refused for want of room. answer: the answer was too "
           "large, "
           "or those that wait for their clients take all of http.spool_disk; body: bodies of "
           "other "
           "requests take all the memory for them.",
           {{"room", label_values<HttpRoom>()}}},
          {Metric::kHttpSpoolBytes,
           kGauge,
           kScrape,
           "neardup_http_spool_bytes",
           "bytes",
           "Bytes of answers that wait for their clients.",
           {{"where", label_values<SpoolPlace>()}}},
          {Metric::kHttpSpoolLimit,
           kGauge,
           kScrape,
           "neardup_http_spool_limit_bytes",
           "bytes",
           "The most that these answers may take (http.spool_memory, http.spool_disk).",
           {{"where", label_values<SpoolPlace>()}}},
      }};
}

MetricSection documents_metrics() {
  return {
      "Documents",
      "What came in, and what became of it. Counted when a batch is stored, since the start.",
      {
          {Metric::kDocuments,
           kCounter,
           kEvents,
           "neardup_documents_total",
           "documents",
           "Records decided, by the status of their flag.",
           {{"status", label_values<Status>()}}},
          {Metric::kDocumentBytes,
           kCounter,
           kEvents,
           "neardup_document_bytes_total",
           "bytes",
           "Bytes of normalised text of the records decided, by the status of their flag.",
           {{"status", label_values<Status>()}}},
          {Metric::kInputBytes, kCounter, kEvents, "neardup_input_bytes_total", "bytes",
           "Bytes of text as received, before it was normalised."},
          {Metric::kInvalidUtf8Records, kCounter, kEvents, "neardup_invalid_utf8_records_total",
           "records",
           "Records with ill-formed UTF-8, which was replaced by U+FFFD (text.invalid_utf8: "
           "replace). The usual cause is another encoding, such as Latin-1."},
          {Metric::kNotices,
           kCounter,
           kEvents,
           "neardup_notices_total",
           "records",
           "Records, and of charset requests, that were not understood as they were meant; "
           "docs/formats/records.md says what to do about each kind. unread_time: no time that can "
           "be read, while retention.max_age is set; replaced_bytes: ill-formed UTF-8, replaced by "
           "U+FFFD; half_surrogate: half of a surrogate pair in the text, replaced by U+FFFD; "
           "utf16: UTF-16 in place of UTF-8; schema_frame: a schema registry's frame that "
           "input.frame does not tell of, or none where it does; json_array: an array in place of "
           "one record; charset: another charset than UTF-8 in Content-Type.",
           {{"kind", label_values<NoticeKind>()}}},
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
      }};
}

MetricSection stages_metrics() {
  return {
      "Stages",
      "Where the time goes.",
      {
          {Metric::kStageDuration,
           kHistogram,
           kEvents,
           "neardup_stage_duration_seconds",
           "seconds",
           "Seconds that a batch spent in each stage, summed over its threads; the sum is the time "
           "since the start. decode, normalise: their common time is measured, their shares are "
           "estimated from one document in sixteen; sketch: the call of the backend, transfer in "
           "it; transfer: copies to a GPU and back, by its own clock; lookup: questions to the "
           "index; filter: 1-bit sketches in bulk; verify: comparisons and decisions; write: the "
           "synced write of the state; produce: flags into the transaction; commit: its end.",
           {{"stage", label_values<BatchStage>()}},
           kStageBounds},
      }};
}

MetricSection candidates_metrics() {
  return {
      "Candidates",
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
           "share a bucket; passed_one_bit: the 1-bit filter let them through, or their sketches "
           "where these are in memory; passed_estimate: enough values of the sketches are equal, "
           "where the pair may still be the most similar one; passed_bucket: the values of a "
           "band are really equal; confirmed: the candidate reaches the threshold.",
           {{"step", label_values<CandidateStep>()}}},
          {Metric::kSimilarity,
           kHistogram,
           kEvents,
           "neardup_similarity_ratio",
           "ratio",
           "Similarity of near-duplicates to their originals, as in their flags.",
           {},
           kSimilarityBounds},
      }};
}

MetricSection quality_metrics() {
  return {
      "Quality",
      "A sample of pairs is compared exactly, on a thread that takes at most 0.1 % of a core; "
      "no flag waits for it or changes by it. A pair is checked when the text of its original "
      "is in memory: the text of one stored document in 32 is kept, the latest in a 64th of "
      "`storage.memory`, whatever `storage.keep_texts` is. So the estimates are of "
      "duplicates that follow their originals within about 1 GiB of stored text, at the default "
      "of 2 GiB, and of what the running process has seen; pairs of one original are not "
      "independent, so with few originals the estimates vary more than the number of pairs "
      "suggests. Near-duplicates only: exact ones are decided by a 128-bit hash.",
      {
          {Metric::kPrecision, kGauge, kScrape, "neardup_quality_precision_ratio", "ratio",
           "Of the sampled near-duplicates, the share whose exact similarity to their original "
           "reaches the threshold, among the latest 4 096 pairs; NaN without samples."},
          {Metric::kPrecisionSamples, kGauge, kScrape, "neardup_quality_precision_samples", "pairs",
           "Pairs behind neardup_quality_precision_ratio."},
          {Metric::kRecall, kGauge, kScrape, "neardup_quality_recall_ratio", "ratio",
           "Recall near the threshold of what met in a bucket: of the latest 4 096 pairs, flagged "
           "and near misses, those whose exact similarity is at most 0.05 above the threshold; the "
           "share of them that was flagged. Pairs that meet in no bucket are not seen here. NaN "
           "without samples."},
          {Metric::kRecallSamples, kGauge, kScrape, "neardup_quality_recall_samples", "pairs",
           "Pairs behind neardup_quality_recall_ratio."},
          {Metric::kQualityPairs,
           kCounter,
           kScrape,
           "neardup_quality_pairs_total",
           "pairs",
           "Pairs compared exactly. flagged: a near-duplicate and its original; near_miss: a "
           "document that was not flagged and a candidate just below what it needed.",
           {{"kind", label_values<PairKind>()}}},
          {Metric::kQualitySkipped,
           kCounter,
           kScrape,
           "neardup_quality_pairs_skipped_total",
           "pairs",
           "Sampled pairs that were not compared. no_text: the text of the original is no longer "
           "held, or one of the texts is longer than a 16th of the memory for them; busy: the "
           "share of CPU time was used up.",
           {{"reason", label_values<SkippedPair>()}}},
          {Metric::kQualitySeconds, kCounter, kScrape, "neardup_quality_seconds_total", "seconds",
           "CPU seconds of these comparisons."},
      }};
}

}  // namespace neardup
