#include "service/kafka/cluster/resolver/stall_clock.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

using std::chrono::milliseconds;

constexpr StallClock::Time kBegin{std::chrono::hours(1)};

TEST(StallClock, HalfASecondWithoutNewsIsAStall) {
  StallClock clock(kBegin);
  EXPECT_FALSE(clock.is_stalled(kBegin + milliseconds(499)));
  EXPECT_TRUE(clock.is_stalled(kBegin + milliseconds(500)));
  clock.news(kBegin + milliseconds(400));
  EXPECT_FALSE(clock.is_stalled(kBegin + milliseconds(500)));
}

TEST(StallClock, ShardsAreAskedLessAndLessOftenUntilARecordIsDecided) {
  StallClock clock(kBegin);
  StallClock::Time now = kBegin;
  for (const int wait : {500, 1000, 2000, 4000, 8000, 8000}) {
    EXPECT_FALSE(clock.is_stalled(now + milliseconds(wait - 1)));
    now += milliseconds(wait);
    EXPECT_TRUE(clock.is_stalled(now));
    clock.asked(now);
  }
  clock.decided(now);
  EXPECT_TRUE(clock.is_stalled(now + milliseconds(500)));
}

}  // namespace
}  // namespace neardup::TEST_FILE
