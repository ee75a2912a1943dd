#include "metrics/registry.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <thread>

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Registry, EverySeriesOfAnEventIsThereBeforeItHappens) {
  const MetricRegistry registry;
  const std::string text = registry.scrape();
  for (const MetricSection& section : metric_sections()) {
    for (const MetricInfo& metric : section.metrics) {
      const std::string type =
          "# TYPE " + std::string(metric.name) + " " + std::string(name(metric.type)) + "\n";
      if (metric.source == MetricSource::kScrape) {
        EXPECT_THAT(text, Not(HasSubstr(type)));
        continue;
      }
      EXPECT_THAT(text, HasSubstr(type));
      for (const MetricLabel& label : metric.labels) {
        for (const std::string_view value : label.values) {
          EXPECT_THAT(text, HasSubstr(std::string(label.name) + "=\"" + std::string(value) + "\""));
        }
      }
    }
  }
}

TEST(Registry, CountersAddAndAdvance) {
  MetricRegistry registry;
  registry.add(Metric::kDocuments, 3, Status::kUnique);
  registry.advance(Metric::kDocuments, 10, Status::kUnique);
  registry.advance(Metric::kDocuments, 12, Status::kUnique);
  registry.set(Metric::kLastSeq, 41);
  const std::string text = registry.scrape();
  EXPECT_THAT(text, HasSubstr("\nneardup_documents_total{status=\"unique\"} 12\n"));
  EXPECT_THAT(text, HasSubstr("\nneardup_documents_total{status=\"rejected\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("\nneardup_last_seq 41\n"));
}

TEST(Registry, TellsSingleValues) {
  MetricRegistry registry;
  registry.add(Metric::kDocuments, 3, Status::kEmpty);
  registry.observe(Metric::kArrivalToFlag, 0.5);
  registry.observe(Metric::kArrivalToFlag, 2);
  EXPECT_EQ(registry.counted(Metric::kDocuments, Status::kEmpty), 3);
  EXPECT_EQ(registry.counted(Metric::kDocuments, Status::kUnique), 0);
  EXPECT_EQ(registry.observed(Metric::kArrivalToFlag).count, 2);
  EXPECT_EQ(registry.observed(Metric::kArrivalToFlag).sum, 2.5);
}

TEST(Registry, ATallyLandsInTheBucketsOfItsBounds) {
  MetricRegistry registry;
  LocalHistogram similarities{metric_info(Metric::kSimilarity).buckets};
  similarities.add(0.8, 2);  // a bound belongs to the bucket below it
  similarities.add(0.801);
  similarities.add(1);
  registry.observe(Metric::kSimilarity, similarities);
  const std::string text = registry.scrape();
  EXPECT_THAT(text, HasSubstr("neardup_similarity_ratio_bucket{le=\"0.75\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("neardup_similarity_ratio_bucket{le=\"0.8\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("neardup_similarity_ratio_bucket{le=\"0.825\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("neardup_similarity_ratio_bucket{le=\"+Inf\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("neardup_similarity_ratio_count 4\n"));
  similarities.clear();
  registry.observe(Metric::kSimilarity, similarities);
  EXPECT_THAT(registry.scrape(), HasSubstr("neardup_similarity_ratio_count 4\n"));
}

TEST(Registry, ReadersAreAskedAsLongAsTheyAreAttached) {
  MetricRegistry registry;
  {
    const auto shown = registry.attach([](Samples& samples) {
      samples.set(Metric::kReady, 1);
      samples.set(Metric::kLag, 5, {"docs", "3"});
      samples.set(Metric::kServiceState, 1, ServiceState::kReplaying);
    });
    const std::string text = registry.scrape();
    EXPECT_THAT(text, HasSubstr("# TYPE neardup_ready gauge\nneardup_ready 1\n"));
    EXPECT_THAT(text, HasSubstr("neardup_kafka_lag_records{topic=\"docs\",partition=\"3\"} 5\n"));
    EXPECT_THAT(text, HasSubstr("neardup_service_state{state=\"replaying\"} 1\n"));
  }
  EXPECT_THAT(registry.scrape(), Not(HasSubstr("neardup_ready")));
}

TEST(Registry, AReaderIsGoneOnlyWhenTheScrapeAtHandHasAskedIt) {
  MetricRegistry registry;
  std::promise<void> entered;
  std::promise<void> leave;
  std::atomic<bool> left{false};
  auto shown = registry.attach([&](Samples&) {
    entered.set_value();
    leave.get_future().wait();
    left = true;
  });
  std::thread scraper([&] { registry.scrape(); });
  entered.get_future().wait();
  std::thread detacher([&] {
    shown.reset();
    EXPECT_TRUE(left);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  leave.set_value();
  detacher.join();
  scraper.join();
}

TEST(Registry, EventsAndScrapesMayMeet) {
  MetricRegistry registry;
  std::atomic<bool> stop{false};
  std::thread scraper([&] {
    while (!stop) registry.scrape();
  });
  for (int i = 0; i < 2000; ++i) {
    registry.add(Metric::kRecordsRead, 1);
    registry.observe(Metric::kStageDuration, 0.001, BatchStage::kTransfer);
  }
  stop = true;
  scraper.join();
  EXPECT_THAT(registry.scrape(), HasSubstr("\nneardup_kafka_records_read_total 2000\n"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
