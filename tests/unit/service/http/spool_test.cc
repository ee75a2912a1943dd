#include "service/http/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using Place = SpoolPlace;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

class SpoolTest : public testing::Test {
 protected:
  static std::string read(const Spool& spool, std::uint64_t at, std::size_t bytes) {
    std::string text(bytes, '?');
    EXPECT_TRUE(spool.read(at, text));
    return text;
  }
  // The bytes that the answer alone may not exceed, 0 if others hold the room; nothing: it is
  // taken.
  static std::optional<std::uint64_t> refused(Spool& spool, std::size_t bytes) {
    try {
      spool.append(std::string(bytes, 'x'));
    } catch (const SpoolFull& full) {
      return full.most();
    }
    return {};
  }

  ScratchDirectory scratch_;
  SpoolBudget budget_{{kMiB, 4 * kMiB, scratch_.path()}};
  Spool spool_{budget_};
};

TEST_F(SpoolTest, GivesBackWhatWasAppended) {
  std::string all;
  for (int i = 0; i < 50; ++i) {
    all += std::string(3'000, static_cast<char>('a' + i % 26)) + std::to_string(i);
    spool_.append(std::string_view(all).substr(spool_.size()));
    ASSERT_EQ(spool_.size(), all.size());
    ASSERT_EQ(read(spool_, 0, all.size()), all);
  }
  for (std::uint64_t at = 0; at < all.size(); at += 7'001) {
    const std::size_t bytes = std::min<std::size_t>(10'000, all.size() - at);
    EXPECT_EQ(read(spool_, at, bytes), all.substr(at, bytes)) << at;
  }
  EXPECT_EQ(read(spool_, all.size(), 0), "");
}

TEST_F(SpoolTest, LeavesNoFile) {
  spool_.append(std::string(1 << 20, 'x'));
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_F(SpoolTest, IsInMemoryWhileItIsSmall) {
  SpoolBudget budget({kMiB, kMiB, "/nowhere"});
  Spool nowhere(budget);
  nowhere.append(std::string(1'000, 'x'));
  EXPECT_EQ(read(nowhere, 0, 1'000), std::string(1'000, 'x'));
  EXPECT_THROW(nowhere.append(std::string(1 << 19, 'x')), Failure);
}

TEST_F(SpoolTest, WithoutMemoryLeftIsOnDisk) {
  SpoolBudget budget({1'500, kMiB, scratch_.path()});
  Spool first(budget);
  Spool second(budget);
  first.append(std::string(1'000, 'a'));
  second.append(std::string(1'000, 'b'));
  second.append("c");
  EXPECT_EQ(budget.used(Place::kMemory), 1'001) << "the last byte fits again";
  EXPECT_EQ(budget.used(Place::kDisk), 1'000);
  EXPECT_EQ(read(second, 0, 1'001), std::string(1'000, 'b') + "c");
}

TEST_F(SpoolTest, HasWhatIsItsOwnAndNoMore) {
  Spool small(budget_, 1'000);
  EXPECT_EQ(refused(small, 1'000), std::nullopt);
  EXPECT_EQ(refused(small, 1), 1'000);
  EXPECT_EQ(refused(spool_, 4 * kMiB + 1), 4 * kMiB) << "no answer can be larger than the budget";
  EXPECT_EQ(budget_.refused(), 2);
}

TEST_F(SpoolTest, AllOfThemShareOneBoundAndGiveItBack) {
  auto other = std::make_unique<Spool>(budget_);
  EXPECT_EQ(refused(*other, 3 * kMiB), std::nullopt);
  EXPECT_EQ(refused(spool_, 2 * kMiB), 0) << "others hold it";
  EXPECT_EQ(budget_.used(Place::kDisk), 3 * kMiB);
  other.reset();
  EXPECT_EQ(budget_.used(Place::kDisk), 0);
  Spool again(budget_);
  EXPECT_EQ(refused(again, 2 * kMiB), std::nullopt);
}

TEST_F(SpoolTest, ThatCannotBeWrittenGivesItsRoomBack) {
  SpoolBudget budget({kMiB, 4 * kMiB, "/nowhere"});
  {
    Spool nowhere(budget);
    EXPECT_THROW(nowhere.append(std::string(kMiB, 'x')), Failure);
  }
  EXPECT_EQ(budget.used(Place::kDisk), 0);
  EXPECT_EQ(budget.used(Place::kMemory), 0);
}

TEST_F(SpoolTest, WhatIsFullIsAnsweredByWhoseRoomItIs) {
  const HttpAnswer alone = problem_of(SpoolFull(kMiB), "ask for less", "stored");
  EXPECT_EQ(alone.status, 413);
  EXPECT_THAT(alone.body, HasSubstr("more than 1 MiB: ask for less"));
  const HttpAnswer others = problem_of(SpoolFull(0), "ask for less", "stored");
  EXPECT_EQ(others.status, 503);
  EXPECT_THAT(others.body, HasSubstr("http.spool_disk"));
  EXPECT_THAT(others.body, HasSubstr("stored"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
