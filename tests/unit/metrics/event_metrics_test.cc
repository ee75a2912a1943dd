#include "metrics/event_metrics.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

class Events : public testing::Test {
 protected:
  void expect(const std::string& line) { EXPECT_THAT(registry_.scrape(), HasSubstr(line + "\n")); }

  MetricRegistry registry_;
  EventMetrics events_{registry_};
};

StoredBatchReport batch_of(std::uint64_t unique, std::uint64_t near) {
  StoredBatchReport report;
  report.documents[7] = unique;
  report.documents[6] = near;
  report.text_bytes[7] = 100 * unique;
  report.batch_documents = unique + near;
  report.batch_duplicates = near;
  for (std::uint64_t i = 0; i < near; ++i) report.similarities.add(0.95);
  return report;
}

TEST_F(Events, TotalsOfABatchAreTakenOnce) {
  StoredBatchReport report = batch_of(3, 1);
  report.candidates = {9, 8, 7, 6, 1};
  report.caps_hit = 2;
  events_.batch_stored(report);
  report.documents[7] = 5;
  events_.batch_stored(report);
  expect("neardup_documents_total{status=\"unique\"} 5");
  expect("neardup_documents_total{status=\"near_duplicate\"} 1");
  expect("neardup_document_bytes_total{status=\"unique\"} 300");
  expect("neardup_candidates_total{step=\"nominated\"} 9");
  expect("neardup_candidates_total{step=\"confirmed\"} 1");
  expect("neardup_bucket_caps_hit_total 2");
}

TEST_F(Events, NoticesOfBatchesAndRequestsAddUp) {
  registry_.add(Metric::kNotices, 1, NoticeKind::kCharset);
  StoredBatchReport stored = batch_of(1, 0);
  stored.notices[static_cast<std::size_t>(NoticeKind::kReplacedBytes)] = 4;
  events_.batch_stored(stored);
  events_.count_notices(stored.notices);
  stored.notices = {};
  events_.batch_stored(stored);
  AppendedBatchReport appended;
  appended.notices[static_cast<std::size_t>(NoticeKind::kJsonArray)] = 2;
  events_.batch_appended(appended);
  events_.batch_appended(appended);
  expect("neardup_notices_total{kind=\"charset\"} 1");
  expect("neardup_notices_total{kind=\"json_array\"} 4");
  expect("neardup_notices_total{kind=\"replaced_bytes\"} 8");
  expect("neardup_notices_total{kind=\"utf16\"} 0");
  expect("neardup_invalid_utf8_records_total 4");
}

TEST_F(Events, WhatBelongsToABatchIsObservedForEach) {
  StoredBatchReport report = batch_of(3, 1);
  report.seconds[static_cast<std::size_t>(BatchStage::kLookUp)] = 0.5;
  events_.batch_stored(report);
  events_.batch_stored(report);
  expect("neardup_batch_documents_count 2");
  expect("neardup_batch_documents_sum 8");
  expect("neardup_duplicates_ratio 0.25");
  expect("neardup_stage_duration_seconds_sum{stage=\"lookup\"} 1");
  expect("neardup_similarity_ratio_count 2");
}

TEST_F(Events, ABatchWithoutDocumentsIsNone) {
  events_.batch_stored(batch_of(3, 1));
  events_.batch_stored(StoredBatchReport{batch_of(0, 0)});
  expect("neardup_batch_documents_count 1");
  expect("neardup_duplicates_ratio 0.25");
}

TEST_F(Events, BucketSizesAreCountedByTheirBitWidth) {
  StoredBatchReport report;
  report.bucket_sizes[0] = 10;  // empty
  report.bucket_sizes[2] = 4;   // 2 or 3 postings
  report.bucket_sizes[kBucketWidths - 1] = 1;
  report.bucket_postings = 1034;
  events_.batch_stored(report);
  expect("neardup_bucket_postings_bucket{le=\"0\"} 10");
  expect("neardup_bucket_postings_bucket{le=\"1\"} 10");
  expect("neardup_bucket_postings_bucket{le=\"3\"} 14");
  expect("neardup_bucket_postings_bucket{le=\"1023\"} 14");
  expect("neardup_bucket_postings_bucket{le=\"+Inf\"} 15");
  expect("neardup_bucket_postings_sum 1034");
}

TEST_F(Events, DeliveriesAreCountedByWhereTheyWent) {
  DeliveredBatchReport report;
  report.output_messages = 20;
  report.dead_letters = {{"invalid_json", 2}, {"too_large_to_pass_on", 1}};
  report.commit_seconds = 0.25;
  report.arrival_to_flag.add(0.2, 20);
  events_.batch_delivered(report);
  expect("neardup_kafka_messages_delivered_total{to=\"output\"} 20");
  expect("neardup_kafka_messages_delivered_total{to=\"dead_letter\"} 3");
  expect("neardup_dead_letters_total{reason=\"invalid_json\"} 2");
  expect("neardup_dead_letters_total{reason=\"too_large_to_pass_on\"} 1");
  expect("neardup_kafka_transactions_total 1");
  expect("neardup_arrival_to_flag_seconds_count 20");
  expect("neardup_stage_duration_seconds_sum{stage=\"commit\"} 0.25");
}

TEST_F(Events, WhatASketcherAppendsIsCounted) {
  AppendedBatchReport report;
  report.records = {20, 2, 1};
  report.messages = 3;
  report.bytes = 7000;
  report.append_seconds = 0.25;
  report.dead_letters = {{"invalid_json", 1}};
  events_.batch_appended(report);
  events_.batch_appended(report);
  events_.source_restarted();
  events_.append_failed();
  events_.paused(1.5);
  expect("neardup_sketcher_records_total{kind=\"document\"} 40");
  expect("neardup_sketcher_records_total{kind=\"delete\"} 4");
  expect("neardup_sketcher_records_total{kind=\"rejected\"} 2");
  expect("neardup_sketcher_messages_total 6");
  expect("neardup_sketcher_appended_bytes_total 14000");
  expect("neardup_sketcher_append_seconds_count 2");
  expect("neardup_dead_letters_total{reason=\"invalid_json\"} 2");
  expect("neardup_sketcher_restarts_total 1");
  expect("neardup_sketcher_append_failures_total 1");
  expect("neardup_sketcher_paused_seconds_total 1.5");
}

TEST_F(Events, FailuresAreCountedByReason) {
  events_.delivery_failed(AbortReason::kExpired);
  events_.producer_made_anew();
  events_.records_read(7, 900);
  events_.state_stands(41, 1500);
  expect("neardup_kafka_transaction_aborts_total{reason=\"expired\"} 1");
  expect("neardup_kafka_transaction_aborts_total{reason=\"fatal\"} 0");
  expect("neardup_kafka_producer_reinits_total 1");
  expect("neardup_kafka_read_bytes_total 900");
  expect("neardup_stream_time_seconds 1.5");
  expect("neardup_last_seq 41");
}

}  // namespace
}  // namespace neardup::TEST_FILE
