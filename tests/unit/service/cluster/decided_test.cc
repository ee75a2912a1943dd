#include "service/cluster/decided.h"

#include <gtest/gtest.h>

#include "service/cluster/placement.h"

namespace neardup::TEST_FILE {
namespace {

Decided some_decided() {
  Decided decided;
  decided.rule = "5f0c5f0c5f0c5f0c";
  decided.first = 900;
  decided.next = 1000;
  decided.offset = 77;
  decided.log = {{{{"docs", 0}, 41}, {{"docs", 1}, 0}}, 990, 3};
  decided.began_ms = 1'700'000'000'000;
  decided.stream_ms = 1'700'000'090'000;
  decided.watermark = 12;
  decided.chain = std::string(32, 'a');
  decided.again = true;
  decided.effects.resize(100);
  decided.effects[3] = {.has_version = true, .has_document = true};
  decided.effects[4] = {.has_version = true, .ended = 903, .original = 77, .similarity = 812'000};
  decided.effects[99] = {.ended = 904};
  decided.ages = {{903, 1'700'000'000'500, 10'000}, {904, 1'700'000'000'500, 0}};
  decided.placement = Placement{.epoch = 3, .answering = {0, 2}, .active = {2}};
  return decided;
}

FrameOutcome outcome_of(const Decided& decided) {
  Decided back;
  return decode_decided(encode_decided("cluster", decided), "cluster", back);
}

TEST(Decided, ComesBack) {
  const Decided decided = some_decided();
  Decided back;
  EXPECT_EQ(decode_decided(encode_decided("cluster", decided), "cluster", back),
            FrameOutcome::kOpened);
  EXPECT_EQ(back, decided);
}

TEST(Decided, ADamagedOneIsFound) {
  const std::string good = encode_decided("cluster", some_decided());
  Decided back;
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_EQ(decode_decided(std::string_view(good).substr(0, at), "cluster", back),
              FrameOutcome::kDamaged);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_EQ(decode_decided(bad, "cluster", back), FrameOutcome::kDamaged);
  }
}

TEST(Decided, NumbersThatCannotBeAreRefused) {
  const auto with = [](auto change) {
    Decided decided = some_decided();
    change(decided);
    return outcome_of(decided);
  };
  EXPECT_EQ(with([](Decided& d) { d.first = 0; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.first = d.next + 1; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.log.next_seq = d.next + 1; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.next = kMaxSeq + 1; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.offset = -1; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.rule = "5F0C5F0C5F0C5F0C"; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.chain.pop_back(); }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.effects.resize(90); }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.placement->epoch = 4; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.placement.reset(); }), FrameOutcome::kOpened);
  EXPECT_EQ(with([](Decided& d) { d.effects[7].original = 3; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) { d.effects[4].original = 904; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](Decided& d) {
              d.first = d.next;
              d.effects.clear();
              d.ages.clear();
            }),
            FrameOutcome::kOpened);
}

TEST(Decided, OneOfAnotherClusterAndOtherMessagesAreNone) {
  Decided back;
  EXPECT_EQ(decode_decided(encode_decided("other", some_decided()), "cluster", back),
            FrameOutcome::kOtherCluster);
  const std::string placement = encode_placement("cluster", {.answering = {0}, .active = {0}});
  EXPECT_EQ(decode_decided(placement, "cluster", back), FrameOutcome::kDamaged);
  EXPECT_EQ(open_log_message(encode_decided("cluster", some_decided()), "cluster").outcome,
            LogOutcome::kDamaged);
}

TEST(Decided, AnyMessageTellsItsCluster) {
  const std::string message = encode_decided("cluster", some_decided());
  EXPECT_EQ(cluster_of(message), "cluster");
  EXPECT_EQ(cluster_of(message.substr(1)), std::nullopt);
  EXPECT_EQ(cluster_of(""), std::nullopt);
}

}  // namespace
}  // namespace neardup::TEST_FILE
