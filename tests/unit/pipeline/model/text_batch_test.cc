#include "pipeline/model/text_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace neardup::TEST_FILE {
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

TEST(TextBatch, ATextCanBeWrittenInPlace) {
  TextBatch batch = batch_of("one", "two");
  const auto write = [](std::string_view text, std::size_t more) {
    return [text, more](std::string& buffer, std::size_t begin) {
      buffer.resize(std::max(buffer.size(), begin + text.size() + more), '#');
      buffer.replace(begin, text.size() + more, std::string(text) + std::string(more, '#'));
      return text.size();
    };
  };
  EXPECT_EQ(batch.push_written(write("three", 500)), "three");
  EXPECT_EQ(batch.push_written(write("", 500)), "");
  EXPECT_EQ(batch.push_written(write(std::string_view("four"), 0)), "four");
  ASSERT_EQ(batch.size(), 5U);
  EXPECT_EQ(batch.text(1), "two");
  EXPECT_EQ(batch.text(2), "three");
  EXPECT_EQ(batch.text(4), "four");
  EXPECT_EQ(std::string_view(batch.bytes() + batch.text_bytes(), kTextPadding),
            std::string(kTextPadding, '\0'));
}

}  // namespace
}  // namespace neardup::TEST_FILE
