#include "pipeline/quality_check.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint64_t kMemory = 1 << 20;

// Words first … last − 1: 5-word shingles, so texts of 104 words have 100 of them.
std::string words(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += fmt::format("{}w{}", text.empty() ? "" : " ", i);
  return text;
}

class Quality : public testing::Test {
 protected:
  // Of the documents 1 … `count` with text `kBase`, those whose text is held.
  void store(Seq count) {
    for (Seq seq = 1; seq <= count; ++seq) check_.stored(seq, kBase);
  }

  // As a separate batch, and until it is compared.
  void compare(PairKind kind, Seq original, const std::string& text) {
    const std::uint64_t before = compared();
    check_.pair(kind, original, text);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    check_.batch_stored();
    while (compared() == before && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (check_.stats().skipped_busy == skipped_) continue;
      skipped_ = check_.stats().skipped_busy;
      check_.pair(kind, original, text);
      check_.batch_stored();
    }
  }

  std::uint64_t compared() const { return check_.stats().compared[0] + check_.stats().compared[1]; }

  // Some seq whose text is held.
  Seq sampled() {
    for (Seq seq = 1; seq <= 1000; ++seq) {
      const QualityStats before = check_.stats();
      check_.pair(PairKind::kFlagged, seq, std::string(2 * kMemory, 'x'));  // too long to be taken
      if (check_.stats().skipped_no_text != before.skipped_no_text) return seq;
    }
    return 0;
  }

  const std::string kBase = words(0, 104);
  QualityCheck check_{Rule(), SimdLevel::kAuto, kMemory};
  std::uint64_t skipped_ = 0;
};

TEST_F(Quality, PairsAreComparedExactly) {
  store(1000);
  const Seq seq = sampled();
  ASSERT_NE(seq, 0u);
  compare(PairKind::kFlagged, seq, words(0, 94));    // 90 of 100 shingles
  compare(PairKind::kFlagged, seq, words(0, 84));    // 80 of 100: just the threshold
  compare(PairKind::kFlagged, seq, words(0, 83));    // 79 of 100: a wrong flag
  compare(PairKind::kNearMiss, seq, words(0, 86));   // 82 of 100: missed
  compare(PairKind::kNearMiss, seq, words(0, 82));   // rightly not flagged
  compare(PairKind::kNearMiss, seq, words(0, 104));  // equal: missed, and not near the threshold
  const QualityStats found = check_.stats();
  EXPECT_EQ(found.flagged, 3u);
  EXPECT_EQ(found.flagged_right, 2u);
  EXPECT_EQ(found.near, 2u);
  EXPECT_EQ(found.near_flagged, 1u);
  EXPECT_EQ(found.compared[0], 3u);
  EXPECT_EQ(found.compared[1], 3u);
  EXPECT_GT(found.cpu_seconds, 0);
}

TEST_F(Quality, OneOriginalIn32IsSampled) {
  std::uint64_t offered = 0;
  for (Seq seq = 1; seq <= 16'000; ++seq) {
    check_.pair(PairKind::kFlagged, seq, kBase);
    if (check_.stats().skipped_no_text > offered) ++offered;
  }
  EXPECT_NEAR(static_cast<double>(offered), 500, 80);
}

TEST_F(Quality, TheOldestTextsGiveWay) {
  const std::string text(kMemory / 20, 'x');
  check_.stored(sampled(), text);
  const Seq first = sampled();
  for (Seq seq = 2000; seq < 4000; ++seq) check_.stored(seq, text);
  const std::uint64_t before = check_.stats().skipped_no_text;
  check_.pair(PairKind::kFlagged, first, kBase);
  EXPECT_EQ(check_.stats().skipped_no_text, before + 1);
}

TEST_F(Quality, AFullBatchGivesAFewPairsAndABusyThreadNone) {
  store(1000);
  const Seq seq = sampled();
  for (int batch = 0; batch < 50; ++batch) {
    for (int i = 0; i < 200; ++i) check_.pair(PairKind::kFlagged, seq, kBase);
    check_.batch_stored();
  }
  const QualityStats found = check_.stats();
  EXPECT_LE(found.compared[0] + found.skipped_busy, 50 * QualityCheck::kPairsOfBatch);
  EXPECT_GT(found.skipped_busy, 0u) << "a thousandth of a core is not enough for all of them";
}

TEST_F(Quality, EndsWhileThereIsWork) {
  store(1000);
  for (int i = 0; i < 200; ++i) check_.pair(PairKind::kFlagged, sampled(), kBase);
  check_.batch_stored();
}

}  // namespace
}  // namespace neardup::TEST_FILE
