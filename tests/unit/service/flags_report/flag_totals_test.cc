#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/flags_report/flags_report.h"
#include "tests/unit/service/flags_report/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

std::uint64_t count(const StatusCounts& counts, Status status) {
  return counts[static_cast<std::size_t>(status)];
}

TEST(FlagTotals, flags_are_counted_by_status_and_by_input) {
  FlagTotals totals;
  for (const char* input : {"a", "b", "a", ""}) {
    totals.add({.status = Status::kUnique}, {.source = input});
    totals.add({.status = Status::kRejected}, {.source = "a"});
  }
  EXPECT_EQ(count(totals.by_status(), Status::kUnique), 4);
  EXPECT_EQ(count(totals.by_status(), Status::kRejected), 4);
  ASSERT_EQ(totals.by_input().size(), 3);
  EXPECT_EQ(totals.by_input()[0].name, "a");
  EXPECT_EQ(count(totals.by_input()[0].counts, Status::kUnique), 2);
  EXPECT_EQ(count(totals.by_input()[0].counts, Status::kRejected), 4);
  EXPECT_EQ(totals.by_input()[1].name, "b");
  EXPECT_EQ(totals.by_input()[2].name, "documents over HTTP");
  EXPECT_FALSE(totals.inputs_left_out());
}

TEST(FlagTotals, inputs_beyond_the_most_are_counted_together) {
  FlagTotals totals;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < FlagTotals::kMostInputs + 7; ++i)
      totals.add({}, {.source = std::to_string(i)});
  }
  ASSERT_EQ(totals.by_input().size(), FlagTotals::kMostInputs + 1);
  EXPECT_TRUE(totals.inputs_left_out());
  EXPECT_EQ(count(totals.by_input()[0].counts, Status::kUnique), 2);
  EXPECT_EQ(count(totals.by_input().back().counts, Status::kUnique), 14);
}

TEST(FlagTotals, long_names_of_inputs_are_cut) {
  FlagTotals totals;
  totals.add({}, {.source = std::string(5000, 'x')});
  EXPECT_EQ(totals.by_input()[0].name.size(), 512 + std::string_view("…").size());
}

TEST(FlagTotals, similarities_of_near_duplicates_are_counted_in_bins) {
  FlagTotals totals;
  for (const Ppm similarity : {0u, 800'000u, 819'000u, 820'000u, 979'000u, 980'000u, 1'000'000u})
    totals.add({.status = Status::kNearDuplicate}, {.similarity = similarity});
  totals.add({.status = Status::kExactDuplicate}, {.similarity = kOne});
  EXPECT_EQ(totals.by_similarity()[0], 1);
  EXPECT_EQ(totals.by_similarity()[40], 2);
  EXPECT_EQ(totals.by_similarity()[41], 1);
  EXPECT_EQ(totals.by_similarity()[48], 1);
  EXPECT_EQ(totals.by_similarity()[49], 2);
}

}  // namespace
}  // namespace neardup::TEST_FILE
