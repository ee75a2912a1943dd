#include "storage/index/filter_budget.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/storage/index/index_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

constexpr Seq kEach = 1000;
constexpr std::size_t kGenerations = 5;
constexpr std::size_t kColumns = 3;

class FilterBudgetTest : public IndexStateTest {
 protected:
  FilterBudgetTest() {
    for (Seq i = 0; i < kGenerations; ++i) {
      Manifest like;
      like.generation = static_cast<std::uint32_t>(i + 1);
      like.first = i * kEach;
      like.end = like.first + kEach;
      shared_.generations.push_back(
          std::make_unique<Generation>(write(postings_of(like.first), like)));
    }
  }

  static std::vector<Postings> postings_of(Seq first) {
    std::mt19937_64 random(first);
    std::vector<Postings> columns(kColumns);
    for (Postings& postings : columns) {
      for (Seq seq = first; seq < first + kEach; ++seq) postings[random() >> 24] = {seq};
    }
    return columns;
  }

  void read(std::uint64_t budget) {
    const WriterLock lock(shared_.mutex);
    read_filters(state_, shared_, budget);
  }

  std::uint64_t bytes() {
    const WriterLock lock(shared_.mutex);
    return shared_.filter_bytes();
  }

  std::uint64_t bytes_of(std::size_t i) {
    const WriterLock lock(shared_.mutex);
    return shared_.generations[i]->filter_bytes();
  }

  void drop() {
    const WriterLock lock(shared_.mutex);
    for (const auto& generation : shared_.generations) {
      for (Generation::Column& column : generation->columns) column.filter.reset();
    }
  }

  // No posting is lost, whatever became of the filters.
  void expect_contains_all() {
    const WriterLock lock(shared_.mutex);
    for (const auto& generation : shared_.generations) {
      const auto columns = postings_of(generation->manifest.first);
      for (std::size_t column = 0; column < kColumns; ++column) {
        for (const auto& [hash, seqs] : columns[column]) {
          ASSERT_TRUE(generation->may_contain({column, hash}));
        }
      }
    }
  }

  IndexState shared_;
};

constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;

TEST_F(FilterBudgetTest, AllAreReadAsTheyWereWrittenWhenTheyFit) {
  read(kEnough);
  expect_contains_all();
  for (std::size_t i = 0; i < kGenerations; ++i) {
    EXPECT_EQ(bytes_of(i), kColumns * Filter::lines_for(kEach, 16) * Filter::kLineBytes) << i;
  }
  const std::uint64_t all = bytes();
  fit_filters(shared_, all);
  EXPECT_EQ(bytes(), all);
}

TEST_F(FilterBudgetTest, AnyBudgetIsKeptAndLosesNothing) {
  read(kEnough);
  const std::uint64_t all = bytes();
  for (std::uint64_t part = 16; part-- > 0;) {
    const std::uint64_t budget = all * part / 16;
    fit_filters(shared_, budget);
    EXPECT_LE(bytes(), budget);
    ASSERT_NO_FATAL_FAILURE(expect_contains_all()) << part;
  }
  EXPECT_EQ(bytes(), 0);
}

TEST_F(FilterBudgetTest, TheOldestAreFoldedFirstAndDroppedOnlyWhenAllAreFolded) {
  read(kEnough);
  const std::uint64_t whole = bytes_of(0);
  fit_filters(shared_, bytes() - 1);
  EXPECT_LT(bytes_of(0), whole);
  for (std::size_t i = 1; i < kGenerations; ++i) EXPECT_EQ(bytes_of(i), whole) << i;

  fit_filters(shared_, kGenerations * whole / 4);
  for (std::size_t i = 0; i < kGenerations; ++i) EXPECT_EQ(bytes_of(i), whole / 4) << i;

  fit_filters(shared_, 2 * whole / 4);
  for (std::size_t i = 0; i < kGenerations - 2; ++i) EXPECT_EQ(bytes_of(i), 0) << i;
  for (std::size_t i = kGenerations - 2; i < kGenerations; ++i) EXPECT_EQ(bytes_of(i), whole / 4);
}

TEST_F(FilterBudgetTest, WhatIsReadIsFoldedAndTheOldestDoWithoutWhenThereIsNoRoom) {
  const std::uint64_t whole = kColumns * Filter::lines_for(kEach, 16) * Filter::kLineBytes;
  read(kGenerations * whole / 2);
  for (std::size_t i = 0; i < kGenerations; ++i) EXPECT_EQ(bytes_of(i), whole / 2) << i;
  drop();
  read(whole / 4);
  EXPECT_EQ(bytes_of(0), 0);
  EXPECT_GT(bytes_of(kGenerations - 1), 0);
  expect_contains_all();
}

TEST_F(FilterBudgetTest, TheNewestAreReadWholeAsFarAsThereIsRoom) {
  const std::uint64_t whole = kColumns * Filter::lines_for(kEach, 16) * Filter::kLineBytes;
  read(kGenerations * whole / 2 + whole + 1);
  for (std::size_t i = 0; i < kGenerations - 2; ++i) EXPECT_EQ(bytes_of(i), whole / 2) << i;
  for (std::size_t i = kGenerations - 2; i < kGenerations; ++i) EXPECT_EQ(bytes_of(i), whole) << i;
  expect_contains_all();
}

}  // namespace
}  // namespace neardup::TEST_FILE
