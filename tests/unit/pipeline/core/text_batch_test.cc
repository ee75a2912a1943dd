#include "pipeline/core/text_batch.h"

#include <gtest/gtest.h>

#include <utility>

namespace neardup {
namespace {

TextBatch batch_of(std::string_view first, std::string_view second) {
  TextBatch batch;
  batch.push(first);
  batch.push(second);
  return batch;
}

TEST(TextBatch, OneThatWasMovedFromIsEmptyAndCanBeFilledAgain) {
  TextBatch from = batch_of("one", "two");
  TextBatch made(std::move(from));
  EXPECT_EQ(from.size(), 0U);  // NOLINT(bugprone-use-after-move)
  from.push("three");
  EXPECT_EQ(from.text(0), "three");

  TextBatch assigned = batch_of("four", "five");
  assigned = std::move(made);
  EXPECT_EQ(made.size(), 0U);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(made.text_bytes(), 0U);
  made.push("six");
  EXPECT_EQ(made.text(0), "six");
  ASSERT_EQ(assigned.size(), 2U);
  EXPECT_EQ(assigned.text(0), "one");
  EXPECT_EQ(assigned.text(1), "two");
}

TEST(TextBatch, ACopyLeavesItsSourceAlone) {
  const TextBatch from = batch_of("one", "two");
  const TextBatch copy = from;
  EXPECT_EQ(from.size(), 2U);
  EXPECT_EQ(copy.text(1), "two");
}

}  // namespace
}  // namespace neardup
