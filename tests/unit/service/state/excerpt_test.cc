#include "service/state/excerpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/utf8.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

std::string repeated(std::string_view words, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += words;
  return text;
}

// The marked parts of an excerpt.
std::vector<std::string> marked(const Excerpt& excerpt) {
  std::vector<std::string> parts;
  for (const ByteRange& mark : excerpt.marks)
    parts.push_back(excerpt.text.substr(mark.begin, mark.end - mark.begin));
  return parts;
}

TEST(Excerpt, a_short_text_stays_as_it_is) {
  const Excerpt excerpt = excerpt_of("the cat sat", {{8, 11}, {0, 3}}, 11);
  EXPECT_EQ(excerpt.text, "the cat sat");
  EXPECT_THAT(marked(excerpt), ElementsAre("the", "sat"));
}

TEST(Excerpt, marks_that_touch_are_one) {
  EXPECT_THAT(excerpt_of("abcdef", {{0, 2}, {2, 4}, {1, 3}, {5, 5}}, 100).marks,
              ElementsAre(ByteRange{0, 4}));
}

TEST(Excerpt, what_is_around_the_ends_of_a_mark_stays) {
  const std::string same = repeated("same ", 1000), rest = repeated("rest ", 1000);
  const std::string text = "head " + same + "tail. And " + rest + "end";
  const Excerpt excerpt = excerpt_of(text, {{5, 5 + same.size()}}, 4000);
  EXPECT_LT(excerpt.text.size(), 1300);
  ASSERT_EQ(excerpt.marks.size(), 1);
  EXPECT_EQ(marked(excerpt)[0].substr(0, 10), "same same ");
  EXPECT_THAT(marked(excerpt)[0], testing::HasSubstr(" … "));
  EXPECT_EQ(excerpt.text.substr(0, 10), "head same ");
  EXPECT_EQ(excerpt.text.substr(excerpt.marks[0].end, 15), "tail. And rest ");
  EXPECT_THAT(excerpt.text, EndsWith("rest end"));
}

TEST(Excerpt, it_ends_where_it_is_full) {
  std::string text;
  std::vector<ByteRange> marks;
  for (int i = 0; i < 1000; ++i) {
    marks.push_back({text.size(), text.size() + 4});
    text += "same other ";
  }
  const Excerpt excerpt = excerpt_of(text, marks, 100);
  EXPECT_LE(excerpt.text.size(), 103);
  EXPECT_THAT(excerpt.text, EndsWith("…"));
  EXPECT_EQ(excerpt.marks.size(), 10);
  EXPECT_EQ(excerpt.marks.back().end, excerpt.text.size());
}

TEST(Excerpt, no_code_point_is_cut) {
  const std::string text = repeated("añ語𝄞", 1000);
  for (std::size_t most = 0; most < 40; ++most) {
    EXPECT_TRUE(valid_utf8(shortened(text, most))) << most;
    EXPECT_TRUE(valid_utf8(excerpt_of(text, {{1, 3}}, most).text)) << most;
  }
  for (std::size_t begin = 0; begin < 1000; begin += 10)
    EXPECT_TRUE(valid_utf8(excerpt_of(text, {{begin, begin + 5000}}, 2000).text)) << begin;
}

TEST(Excerpt, a_text_without_marks_or_words_has_none) {
  EXPECT_THAT(excerpt_of("", {}, 10).marks, IsEmpty());
  EXPECT_EQ(excerpt_of("", {}, 10).text, "");
  EXPECT_EQ(excerpt_of(repeated("word ", 500), {}, 1000).text.size(), 605);
}

}  // namespace
}  // namespace neardup::TEST_FILE
