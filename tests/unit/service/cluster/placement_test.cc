#include "service/cluster/placement.h"

#include <gtest/gtest.h>

#include "service/cluster/log_decoder.h"

namespace neardup::TEST_FILE {
namespace {

LogOutcome decode(std::string_view bytes, LogMessage& message) {
  return LogDecoder(Rule(), "cluster").decode(bytes, message);
}

LogOutcome outcome_of(const Placement& placement) {
  LogMessage message;
  return decode(encode_placement("cluster", placement), message);
}

TEST(Placement, ComesBack) {
  const Placement placement{.epoch = 300, .answering = {0, 1, 5, 63}, .active = {5, 1}};
  LogMessage message;
  EXPECT_EQ(decode(encode_placement("cluster", placement), message), LogOutcome::kPlacement);
  EXPECT_EQ(message.placement, placement);
}

TEST(Placement, ItsBytesNeverChange) {
  const std::string bytes = encode_placement("c", {.epoch = 2, .answering = {0, 1}, .active = {1}});
  EXPECT_EQ(bytes.substr(0, bytes.size() - 8), std::string("\x01\x02\x01"
                                                           "c\x02\x02\x00\x01\x01\x01",
                                                           10));
}

TEST(Placement, ADamagedOneIsFound) {
  const std::string good =
      encode_placement("cluster", {.epoch = 2, .answering = {0, 1}, .active = {1}});
  LogMessage message;
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_EQ(decode(std::string_view(good).substr(0, at), message), LogOutcome::kDamaged);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_EQ(decode(bad, message), LogOutcome::kDamaged);
  }
}

TEST(Placement, ShardsThatCannotBeAreRefused) {
  EXPECT_EQ(outcome_of({.epoch = 0, .answering = {0}, .active = {0}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {}, .active = {}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {0}, .active = {}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {0}, .active = {1}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {1, 0}, .active = {1}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {0, 0}, .active = {0}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {0, 1}, .active = {1, 1}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {64}, .active = {64}}), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of({.answering = {63}, .active = {63}}), LogOutcome::kPlacement);
}

}  // namespace
}  // namespace neardup::TEST_FILE
