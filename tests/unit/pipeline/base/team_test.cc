#include "pipeline/base/team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace neardup::TEST_FILE {
namespace {

TEST(Team, DoesEachPieceOnceInEachCall) {
  Team team(4);
  for (std::size_t pieces = 0; pieces < 300; ++pieces) {
    std::vector<std::atomic<int>> done(pieces);
    team.share_out(pieces, [&](std::size_t piece) { ++done[piece]; });
    EXPECT_TRUE(std::ranges::all_of(done, [](const auto& count) { return count == 1; })) << pieces;
  }
}

TEST(Team, WorksInSeveralThreads) {
  Team team(2);
  std::atomic<int> here{0};
  // Each piece waits for the other, so one thread alone would not end.
  team.share_out(2, [&](std::size_t) {
    ++here;
    while (here < 2) std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

TEST(Team, OfOneThreadWorksInTheCallersThread) {
  Team team(1);
  std::set<std::thread::id> threads;
  team.share_out(5, [&](std::size_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(Team, RethrowsWhatAPieceThrowsAndWorksOn) {
  Team team(3);
  for (int call = 0; call < 50; ++call) {
    const auto fails = [](std::size_t piece) {
      if (piece == 7) throw std::runtime_error("seven");
    };
    EXPECT_THROW(team.share_out(20, fails), std::runtime_error);
    std::atomic<int> done{0};
    team.share_out(20, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 20);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
