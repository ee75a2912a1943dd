#include "service/monitor/watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class WatchTest : public ::testing::Test {
 protected:
  // Looks once a second for so long.
  void pass(int seconds) {
    for (int i = 0; i < seconds; ++i) watch_.look(now_ += std::chrono::seconds(1));
  }

  std::vector<std::pair<ServiceStage, int>> hung_;
  StageWatch::Time now_ = StageWatch::Time(std::chrono::hours(1000));
  StageWatch watch_{std::chrono::seconds(300),
                    [this](ServiceStage stage, std::chrono::seconds busy) {
                      hung_.emplace_back(stage, static_cast<int>(busy.count()));
                    }};
};

TEST_F(WatchTest, ACallThatTakesItsLimitIsToldOnce) {
  const Busy busy(watch_, ServiceStage::kSender);
  pass(300);  // the first look only sees that it began
  EXPECT_THAT(hung_, IsEmpty());
  pass(1);
  EXPECT_THAT(hung_, ElementsAre(Pair(ServiceStage::kSender, 300)));
  pass(1000);
  EXPECT_THAT(hung_, testing::SizeIs(1));
}

TEST_F(WatchTest, AnIdleStageIsNeverToldOf) {
  pass(10'000);
  { const Busy busy(watch_, ServiceStage::kReader); }
  pass(10'000);
  EXPECT_THAT(hung_, IsEmpty());
}

TEST_F(WatchTest, ManyShortCallsAreNoLongOne) {
  for (int i = 0; i < 20; ++i) {
    const Busy busy(watch_, ServiceStage::kDecider);
    pass(100);
  }
  EXPECT_THAT(hung_, IsEmpty());
}

TEST_F(WatchTest, CallsThatEndAndBeginBetweenTwoLooksAreNoLongOne) {
  for (int i = 0; i < 1000; ++i) {
    const Busy busy(watch_, ServiceStage::kDecider);
    pass(1);
  }
  EXPECT_THAT(hung_, IsEmpty());
}

TEST_F(WatchTest, ASignOfLifeBeginsTheCountAnew) {
  const Busy busy(watch_, ServiceStage::kSender);
  pass(299);
  watch_.alive(ServiceStage::kSender);
  pass(300);
  EXPECT_THAT(hung_, IsEmpty());
  pass(1);
  EXPECT_THAT(hung_, ElementsAre(Pair(ServiceStage::kSender, 300)));
}

TEST_F(WatchTest, WhatABusyStageWaitsForCountsAsLongAsItGetsOn) {
  std::uint64_t progress = 0;
  watch_.waits_for(ServiceStage::kDecider, [&] { return progress; });
  const Busy decider(watch_, ServiceStage::kDecider);
  const Busy sender(watch_, ServiceStage::kSender);
  for (int i = 0; i < 40; ++i) {
    pass(10);
    ++progress;
  }
  EXPECT_THAT(hung_, ElementsAre(Pair(ServiceStage::kSender, 300)));
  pass(302);
  EXPECT_THAT(hung_,
              ElementsAre(Pair(ServiceStage::kSender, 300), Pair(ServiceStage::kDecider, 300)));
}

TEST_F(WatchTest, StagesAreCountedApart) {
  const Busy reader(watch_, ServiceStage::kReader);
  pass(200);
  const Busy sender(watch_, ServiceStage::kSender);
  pass(101);
  EXPECT_THAT(hung_, ElementsAre(Pair(ServiceStage::kReader, 300)));
  pass(200);
  EXPECT_THAT(hung_,
              ElementsAre(Pair(ServiceStage::kReader, 300), Pair(ServiceStage::kSender, 300)));
}

TEST_F(WatchTest, TheNextLongCallIsToldAgain) {
  for (int i = 0; i < 2; ++i) {
    const Busy busy(watch_, ServiceStage::kSender);
    pass(301);
  }
  EXPECT_THAT(hung_, testing::SizeIs(2));
}

TEST_F(WatchTest, TimeInWhichTheProcessStoodStillIsNotCounted) {
  const Busy busy(watch_, ServiceStage::kSender);
  pass(100);
  watch_.look(now_ += std::chrono::hours(2));
  pass(100);
  EXPECT_THAT(hung_, IsEmpty());
}

TEST(Watchdog, LooksByItselfAndEndsWhenAsked) {
  std::atomic<bool> hung = false;
  StageWatch watch(std::chrono::seconds(1), [&](ServiceStage, std::chrono::seconds) {
    hung = true;
    hung.notify_one();
  });
  const Busy busy(watch, ServiceStage::kSender);
  const Watchdog watchdog(watch);
  hung.wait(false);
}

TEST(WatchdogDeathTest, AHungStageEndsTheProcessWithItsNameInTheLog) {
  EXPECT_EXIT(
      {
        Log log({LogFormat::kText, LogLevel::kInfo});
        end_process(log)(ServiceStage::kSender, std::chrono::seconds(301));
      },
      testing::ExitedWithCode(70),
      "error a stage hangs, the process ends stage=sender seconds=301");
}

}  // namespace
}  // namespace neardup::TEST_FILE
