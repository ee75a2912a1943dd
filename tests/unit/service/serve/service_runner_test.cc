// The life of a process, with a role that waits for its end.
#include "service/serve/service_runner.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/base/failure.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using namespace std::chrono_literals;
using testing::Contains;

class Waits : public Role {
 public:
  explicit Waits(ServiceRunner& runner) : runner_(runner) {}

  void start() override {
    if (fails_to_start) throw Failure(Exit::kConfig, "no such topic");
    if (stopped_at_start) throw Stopped();
  }
  void serve() override {
    serves = true;
    while (!runner_.ends()) std::this_thread::sleep_for(1ms);
    if (fails_to_finish) throw Failure(Exit::kIo, "the disk is full");
  }
  void stop() override { ++stops; }
  void look(bool reachable) override {
    ++looks;
    EXPECT_FALSE(reachable) << "there is no broker";
    if (loses_lease) throw Failure(Exit::kUnavailable, "lost");
  }
  std::optional<std::string> not_ready_reason() const override {
    if (starting) return {};
    return ready ? "" : "warming up";
  }
  std::string_view unfinished() const override { return "nothing"; }

  std::atomic<bool> starting{false};
  std::atomic<bool> ready{true};
  std::atomic<bool> serves{false};
  std::atomic<int> stops{0};
  std::atomic<int> looks{0};
  std::atomic<bool> loses_lease{false};
  bool fails_to_start = false;
  bool stopped_at_start = false;
  bool fails_to_finish = false;

 private:
  ServiceRunner& runner_;
};

class ServiceRunnerTest : public testing::Test {
 protected:
  template <typename Condition>
  static void wait_until(const Condition& condition) {
    while (!condition()) std::this_thread::sleep_for(1ms);
  }

  // What run throws.
  std::string failure() {
    try {
      runner_.run(role_);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "none";
  }

  const ScratchDirectory directory_;
  const Config config_{};
  const Rule rule_{};
  const ServeSwitches switches_{};
  Log log_{LogOptions()};
  Health health_;
  Control control_{config_.backup, directory_.path(), rule_, health_, log_};
  MetricRegistry registry_;
  std::atomic<bool> stop_{false};
  const ServiceContext context_{config_, rule_,    switches_, log_,
                                health_, control_, registry_, stop_};
  ServiceRunner runner_{context_};
  Waits role_{runner_};
};

TEST_F(ServiceRunnerTest, AProcessIsReadyWhileItsRoleIs) {
  role_.ready = false;
  int status = -1;
  std::thread process([&] { status = runner_.run(role_); });
  wait_until([&] { return health_.why_not_ready() == std::vector<std::string>{"warming up"}; });
  role_.ready = true;
  wait_until([&] { return health_.why_not_ready().empty(); });
  stop_ = true;
  process.join();
  EXPECT_EQ(status, 0);
}

TEST_F(ServiceRunnerTest, ARoleThatStartsSaysItselfWhyItIsNotReady) {
  role_.starting = true;
  health_.set_not_ready("recovering");
  std::thread process([&] { runner_.run(role_); });
  wait_until([&] { return role_.looks > 1; });
  EXPECT_EQ(health_.why_not_ready(), std::vector<std::string>{"recovering"});
  role_.starting = false;
  wait_until([&] { return health_.why_not_ready().empty(); });
  stop_ = true;
  process.join();
}

TEST_F(ServiceRunnerTest, AStopIsPassedOnOnceAndEndsReadiness) {
  runner_.end();  // so that `serve` ends at once unless the monitor is waited for
  class Slow : public Waits {
   public:
    using Waits::Waits;
    void serve() override {
      wait_until([this] { return stops > 0; });
    }
  };
  Slow slow(runner_);
  EXPECT_EQ(runner_.run(slow), 0);
  EXPECT_EQ(slow.stops, 1);
  EXPECT_THAT(health_.why_not_ready(), Contains("draining"));
}

TEST_F(ServiceRunnerTest, AFailureOfTheMonitorEndsTheWork) {
  role_.loses_lease = true;
  EXPECT_EQ(failure(), "lost");
}

TEST_F(ServiceRunnerTest, TheFirstFailureCounts) {
  role_.loses_lease = true;
  role_.fails_to_finish = true;
  EXPECT_EQ(failure(), "lost");
}

TEST_F(ServiceRunnerTest, AFailedStartServesNothing) {
  role_.fails_to_start = true;
  EXPECT_EQ(failure(), "no such topic");
  EXPECT_FALSE(role_.serves);
}

TEST_F(ServiceRunnerTest, AStopDuringTheStartIsNoFault) {
  role_.stopped_at_start = true;
  EXPECT_EQ(runner_.run(role_), 0);
  EXPECT_FALSE(role_.serves);
}

}  // namespace
}  // namespace neardup::TEST_FILE
