#include "metrics/catalogue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "metrics/reference.h"

namespace neardup::TEST_FILE {
namespace {

const std::set<std::string_view> kWithoutPrefix = {
    "process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds",
    "process_open_fds", "process_max_fds"};

std::vector<MetricInfo> all() {
  std::vector<MetricInfo> metrics;
  for (const MetricSection& section : metric_sections()) {
    metrics.insert(metrics.end(), section.metrics.begin(), section.metrics.end());
  }
  return metrics;
}

TEST(Catalogue, NamesAreDifferent) {
  const auto metrics = all();
  EXPECT_EQ(metrics.size(), kMetrics);
  std::set<std::string_view> names;
  for (const MetricInfo& metric : metrics) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
  }
}

TEST(Catalogue, NamesFollowTheRulesOfPrometheus) {
  for (const MetricInfo& metric : all()) {
    const std::string name(metric.name);
    if (!kWithoutPrefix.contains(metric.name)) {
      EXPECT_THAT(name, testing::MatchesRegex("neardup(_[a-z][a-z0-9]*)+"));
    }
    EXPECT_EQ(name.ends_with("_total"), metric.type == MetricType::kCounter) << name;
    for (const char* reserved : {"_bucket", "_count", "_sum"}) {
      EXPECT_FALSE(name.ends_with(reserved)) << name;
    }
    EXPECT_THAT(
        name, testing::Not(testing::ContainsRegex("_(ms|milliseconds|micros|kb|mb|percent)(_|$)")))
        << "not a base unit";
    for (const char* unit : {"seconds", "bytes", "ratio"}) {
      EXPECT_TRUE(metric.unit != unit || name.find(unit) != name.npos) << name;
    }
  }
}

TEST(Catalogue, HelpIsASentenceWithoutLineEnds) {
  for (const MetricInfo& metric : all()) {
    EXPECT_TRUE(metric.help.ends_with(".")) << metric.name;
    EXPECT_EQ(metric.help.find_first_of("\n|"), metric.help.npos) << metric.name;
  }
}

TEST(Catalogue, LabelsAreBounded) {
  const std::set<std::string_view> open = {"version", "revision", "rocksdb", "librdkafka", "rule",
                                           "backend", "group",    "shard"};  // at most 64
  const std::set<Metric> per_partition = {Metric::kLag, Metric::kHeadroom, Metric::kEndOffset,
                                          Metric::kCommittedOffset, Metric::kCommitAge};
  for (const MetricInfo& metric : all()) {
    for (const MetricLabel& label : metric.labels) {
      EXPECT_NE(label.values.empty(), label.open.empty()) << metric.name;
      const std::set<std::string_view> different(label.values.begin(), label.values.end());
      EXPECT_EQ(different.size(), label.values.size()) << metric.name;
      EXPECT_LE(label.values.size(), 12u) << metric.name;
      if (label.values.empty()) {
        EXPECT_TRUE(per_partition.contains(metric.id) || open.contains(label.name)) << metric.name;
        EXPECT_EQ(metric.source, MetricSource::kScrape) << metric.name;
      }
    }
    EXPECT_TRUE(metric.source == MetricSource::kScrape || metric.labels.size() <= 1) << metric.name;
  }
}

TEST(Catalogue, HistogramsHaveAscendingBuckets) {
  for (const MetricInfo& metric : all()) {
    EXPECT_EQ(metric.buckets.empty(), metric.type != MetricType::kHistogram) << metric.name;
    EXPECT_TRUE(std::ranges::is_sorted(metric.buckets, std::less_equal())) << metric.name;
    EXPECT_LE(metric.buckets.size(), 15u) << metric.name;
  }
}

TEST(Catalogue, TheReferenceInDocsIsTheOneOfTheCatalogue) {
  std::ifstream file("docs/metrics.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), metrics_markdown())
      << "make it again: neardup metrics reference > docs/metrics.md";
}

}  // namespace
}  // namespace neardup::TEST_FILE
