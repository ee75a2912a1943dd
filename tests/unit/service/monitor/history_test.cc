#include "service/monitor/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(History, HoldsWhatTheMetricsSay) {
  MetricRegistry registry;
  registry.add(Metric::kDocuments, 3, Status::kUnique);
  registry.add(Metric::kDocuments, 2, Status::kRejected);
  registry.add(Metric::kInputBytes, 4000);
  registry.observe(Metric::kArrivalToFlag, 0.5);
  registry.observe(Metric::kArrivalToFlag, 0.25);
  const auto shown = registry.attach([](Samples& samples) {
    samples.set(Metric::kLag, 5, {"topic", "0"});
    samples.set(Metric::kLag, 7, {"topic", "1"});
    samples.set(Metric::kPrecision, 0.99);
    samples.set(Metric::kRecall, std::nan(""));
    samples.set(Metric::kIndexDocuments, 3);
    samples.set(Metric::kIndexGenerations, 1);
    samples.set(Metric::kBackupLatest, 0);
  });
  History history(registry);
  history.take(1000);
  EXPECT_EQ(
      history.json(0),
      R"({"every_seconds":5,"samples":[{"time_ms":1000,"documents":{"rejected":2,)"
      R"("deleted":0,"unchanged":0,"empty":0,"exact_duplicate":0,"too_short":0,)"
      R"("near_duplicate":0,"unique":3},"input_bytes":4000,"flags":2,"delay_seconds":0.750,)"
      R"("lag":12,"precision":0.9900,"index_documents":3,"index_generations":1,"backup_seconds":0}]})");
}

TEST(History, LeavesOutWhatIsNotThereYet) {
  const MetricRegistry registry;
  History history(registry);
  EXPECT_EQ(history.json(0), R"({"every_seconds":5,"samples":[]})");
  history.take(1);
  for (const char* name : {"lag", "precision", "recall", "index_documents", "state_bytes"})
    EXPECT_THAT(history.json(0), Not(HasSubstr("\"" + std::string(name) + "\":")));
}

TEST(History, ForgetsTheOldestSample) {
  const MetricRegistry registry;
  History history(registry);
  for (std::int64_t time = 1; time <= static_cast<std::int64_t>(History::kSamples) + 1; ++time)
    history.take(time);
  EXPECT_THAT(history.json(0), HasSubstr(R"("samples":[{"time_ms":2,)"));
  EXPECT_THAT(history.json(0), HasSubstr(R"({"time_ms":182,)"));
  EXPECT_THAT(history.json(181), HasSubstr(R"("samples":[{"time_ms":182,)"));
  EXPECT_EQ(history.json(182), R"({"every_seconds":5,"samples":[]})");
}

TEST(History, TakesTheFirstSampleAtOnceAndEndsWithoutWaiting) {
  const MetricRegistry registry;
  History history(registry);
  history.start();
  while (history.json(0).find("time_ms") == std::string::npos) std::this_thread::yield();
}

}  // namespace
}  // namespace neardup::TEST_FILE
