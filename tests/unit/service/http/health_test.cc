#include "service/http/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Health, AServiceThatStartsIsHealthyAndNotReady) {
  const Health health;
  EXPECT_THAT(health.why_unhealthy(), IsEmpty());
  EXPECT_THAT(health.why_not_ready(), ElementsAre("starting"));
}

TEST(Health, ReadinessComesAndGoesWithItsLastReason) {
  Health health;
  health.set_not_ready("recovering");
  EXPECT_THAT(health.why_not_ready(), ElementsAre("recovering"));
  health.set_ready();
  EXPECT_THAT(health.why_not_ready(), IsEmpty());
  health.set_not_ready("brokers unreachable");
  EXPECT_THAT(health.why_not_ready(), ElementsAre("brokers unreachable"));
}

TEST(Health, WhoDrainsIsNeverReadyAgain) {
  Health health;
  health.set_draining();
  health.set_ready();
  EXPECT_THAT(health.why_not_ready(), ElementsAre("draining"));
  EXPECT_THAT(health.why_unhealthy(), IsEmpty());
}

TEST(Health, WhoIsUnhealthyIsNotReadyAndStaysSo) {
  Health health;
  health.set_ready();
  health.set_unhealthy("the sender hangs");
  health.set_ready();
  EXPECT_THAT(health.why_unhealthy(), ElementsAre("the sender hangs"));
  EXPECT_THAT(health.why_not_ready(), ElementsAre("the sender hangs"));
}

TEST(Health, EveryReasonIsTold) {
  Health health;
  health.set_not_ready("brokers unreachable");
  health.set_draining();
  health.set_unhealthy("the sender hangs");
  EXPECT_THAT(health.why_not_ready(),
              ElementsAre("the sender hangs", "draining", "brokers unreachable"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
