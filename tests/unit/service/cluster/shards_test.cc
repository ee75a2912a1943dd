// Shards and a resolver give the flags and rows of one process, and every rule of their protocol is
// needed for it.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "tests/unit/service/cluster/cluster_model.h"

namespace neardup::TEST_FILE {
namespace {

constexpr unsigned kRuns = 300;

TEST(Shards, DecideAsOneProcess) {
  std::array<std::size_t, kStatuses> statuses{};
  std::size_t shortages = 0, stalls = 0;
  for (unsigned seed = 0; seed < kRuns; ++seed) {
    ClusterModel model(seed, {});
    const auto mistake = model.mistake();
    ASSERT_FALSE(mistake) << "seed " << seed << ": " << *mistake;
    for (const Flag& flag : model.log().flags) ++statuses[static_cast<std::size_t>(flag.status)];
    shortages += model.log().shortages;
    stalls += model.log().stalls;
  }
  for (const std::size_t count : statuses) EXPECT_GT(count, 100u);
  EXPECT_GT(shortages, 10u);
  EXPECT_GT(stalls, 10u);
}

struct MutantCase {
  const char* name;
  Mutant mutant;
};

class ShardMutants : public testing::TestWithParam<MutantCase> {};

TEST_P(ShardMutants, AreFound) {
  std::optional<std::string> mistake;
  unsigned seed = 0;
  while (!mistake && seed < kRuns) mistake = ClusterModel(seed++, GetParam().mutant).mistake();
  EXPECT_TRUE(mistake.has_value());
  RecordProperty("runs", static_cast<int>(seed));
}

INSTANTIATE_TEST_SUITE_P(
    Of, ShardMutants,
    testing::Values(MutantCase{"StaleAnswers", {.takes_stale_answers = true}},
                    MutantCase{"ForgottenWindow", {.forgets_window = true}},
                    MutantCase{"BelievedCutLists", {.believes_cut_lists = true}},
                    MutantCase{"CapByShard", {.counts_cap_by_shard = true}},
                    MutantCase{"NoSlack", {.has_no_slack = true}},
                    MutantCase{"KeptEndedVersions", {.keeps_ended_versions = true}},
                    MutantCase{"AgainWithoutWatermark", {.asks_without_watermark = true}},
                    MutantCase{"NoAges", {.starts_without_ages = true}},
                    MutantCase{"NewStreamTime", {.starts_stream_time_anew = true}},
                    MutantCase{"OwnersOfTheLastPlacement", {.owns_by_last_placement = true}}),
    [](const auto& mutant) { return mutant.param.name; });

}  // namespace
}  // namespace neardup::TEST_FILE
