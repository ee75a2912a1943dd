#include "service/kafka/monitor/kafka_metrics.h"

#include <gmock/gmock.h>

#include <set>

#include "service/monitor/collectors.h"
#include "service/monitor/service_metrics.h"
#include "storage/memory_store.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

const TopicPartition kFirst{"docs", 0};
const TopicPartition kSecond{"docs", 1};
const PartitionBoard::Clock::time_point kStart{};

TEST(Board, AgeBeginsAnewWhenAPositionMoves) {
  PartitionBoard board;
  board.committed({{kFirst, 5}, {kSecond, 7}}, kStart);
  board.committed({{kFirst, 6}, {kSecond, 7}}, kStart + 10s);
  const auto lines = board.lines(kStart + 12s);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].committed, 6);
  EXPECT_EQ(lines[0].age, 2s);
  EXPECT_EQ(lines[1].age, 12s);
}

TEST(Board, KnowsEndsOnlyOnceTheyAreAsked) {
  PartitionBoard board;
  board.committed({{kFirst, 5}}, kStart);
  EXPECT_FALSE(board.lines(kStart)[0].end);
  board.ends({{kFirst, 9}, {{"other", 0}, 3}});
  EXPECT_EQ(board.lines(kStart)[0].end, 9);
  EXPECT_THAT(board.partitions(), ElementsAre(kFirst));
}

class Shown : public testing::Test {
 protected:
  std::string text() const { return registry_.scrape(); }

  Log log_{LogOptions()};
  ClientEvents client_events_{log_};
  Health health_;
  MetricRegistry registry_;
  ServiceMetrics service_{registry_, health_};
  KafkaMetrics kafka_{registry_, client_events_};
};

TEST_F(Shown, TheStateIsOneOfItsValues) {
  EXPECT_THAT(text(), HasSubstr("neardup_service_state{state=\"starting\"} 1\n"));
  service_.set_state(ServiceState::kServing);
  EXPECT_THAT(text(), HasSubstr("neardup_service_state{state=\"serving\"} 1\n"));
  service_.set_draining();
  service_.set_state(ServiceState::kServing);
  EXPECT_THAT(text(), HasSubstr("neardup_service_state{state=\"serving\"} 0\n"));
  EXPECT_THAT(text(), HasSubstr("neardup_service_state{state=\"draining\"} 1\n"));
}

TEST_F(Shown, ReadinessIsThatOfTheProbes) {
  EXPECT_THAT(text(), HasSubstr("\nneardup_ready 0\n"));
  health_.set_ready();
  EXPECT_THAT(text(), HasSubstr("\nneardup_ready 1\n"));
  client_events_.no_answer();
  EXPECT_THAT(text(), HasSubstr("\nneardup_kafka_brokers_reachable 0\n"));
}

TEST_F(Shown, LagIsFromWhatIsCommittedToTheEnd) {
  kafka_.partitions().committed({{kFirst, 5}}, PartitionBoard::Clock::now());
  EXPECT_THAT(text(), Not(HasSubstr("lag_records")));
  kafka_.partitions().ends({{kFirst, 9}});
  EXPECT_THAT(text(), HasSubstr("neardup_kafka_lag_records{topic=\"docs\",partition=\"0\"} 4\n"));
  kafka_.partitions().committed({{kFirst, 20}}, PartitionBoard::Clock::now());
  EXPECT_THAT(text(), HasSubstr("neardup_kafka_lag_records{topic=\"docs\",partition=\"0\"} 0\n"));
}

TEST_F(Shown, HeadroomIsFromTheOldestRecordToWhatIsCommitted) {
  kafka_.partitions().committed({{kFirst, 5}}, PartitionBoard::Clock::now());
  kafka_.partitions().begins({{kFirst, 0}});
  EXPECT_THAT(text(), Not(HasSubstr("headroom_records"))) << "nothing was deleted yet";
  kafka_.partitions().begins({{kFirst, 2}, {{"other", 0}, 3}});
  EXPECT_THAT(text(),
              HasSubstr("neardup_kafka_headroom_records{topic=\"docs\",partition=\"0\"} 3\n"));
  kafka_.partitions().begins({{kFirst, 9}});
  EXPECT_THAT(text(),
              HasSubstr("neardup_kafka_headroom_records{topic=\"docs\",partition=\"0\"} -4\n"));
}

TEST_F(Shown, AStoreIsReadWhileItIsShown) {
  const auto store = open_memory_store({}, OpenMode::kReadWrite);
  {
    const auto shown = service_.show_store(*store, 1 << 20, "/");
    EXPECT_THAT(text(), HasSubstr("\nneardup_index_documents 0\n"));
    EXPECT_THAT(text(), HasSubstr("\nneardup_memory_budget_bytes 1048576\n"));
    EXPECT_THAT(text(), HasSubstr("neardup_rocksdb_live_file_bytes{family=\"ended\"} 0\n"));
    EXPECT_THAT(text(), HasSubstr("\nneardup_disk_free_bytes "));
  }
  EXPECT_THAT(text(), Not(HasSubstr("neardup_index_documents")));
}

TEST_F(Shown, AGpuIsActiveUnlessItHasFailed) {
  BackendReport report;
  report.device_active = true;
  report.device_bytes = 1000;
  report.times.kernel_seconds = 2.5;
  report.documents_on_device = 30;
  report.documents_shared = 12;
  report.failures = 1;
  const auto shown = registry_.attach([&](Samples& samples) { collect_backend(report, samples); });
  EXPECT_THAT(text(), HasSubstr("\nneardup_gpu_active 1\n"));
  EXPECT_THAT(text(), HasSubstr("\nneardup_gpu_memory_bytes 1000\n"));
  EXPECT_THAT(text(), HasSubstr("neardup_gpu_seconds_total{phase=\"kernel\"} 2.5\n"));
  EXPECT_THAT(text(), HasSubstr("\nneardup_gpu_documents_total 30\n"));
  EXPECT_THAT(text(), HasSubstr("\nneardup_gpu_shared_documents_total 12\n"));
  EXPECT_THAT(text(), HasSubstr("\nneardup_gpu_failures_total 1\n"));
}

TEST_F(Shown, EstimatesWithoutSamplesAreNotNumbers) {
  QualityStats stats;
  const auto shown = registry_.attach([&](Samples& samples) { collect_quality(stats, samples); });
  EXPECT_THAT(text(), HasSubstr("\nneardup_quality_precision_ratio Nan\n"));
  stats.flagged = 4;
  stats.flagged_right = 3;
  EXPECT_THAT(text(), HasSubstr("\nneardup_quality_precision_ratio 0.75\n"));
  EXPECT_THAT(text(), HasSubstr("\nneardup_quality_precision_samples 4\n"));
}

TEST_F(Shown, TheProcessTellsOfItself) {
  const auto shown = registry_.attach(collect_process);
  EXPECT_THAT(text(), testing::ContainsRegex("\nprocess_resident_memory_bytes [1-9]"));
  EXPECT_THAT(text(), testing::ContainsRegex("\nprocess_open_fds [1-9]"));
  EXPECT_GT(memory_limit(), std::uint64_t{1} << 26);
}

}  // namespace
}  // namespace neardup::TEST_FILE
