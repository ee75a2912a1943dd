#include <gtest/gtest.h>

#include "service/state/excerpt.h"

namespace neardup::TEST_FILE {
namespace {

TEST(VisibleText, controls_are_pictures_and_the_text_stays_on_one_line) {
  EXPECT_EQ(visible_text("a\tb\nc"), "a b c");
  EXPECT_EQ(visible_text(std::string_view("\0\x1b[31m\r\x7f", 8)), "␀␛[31m␍␡");
  EXPECT_EQ(visible_text("\u009b31m"), "\uFFFD31m");
}

TEST(VisibleText, other_text_is_itself) {
  for (const char* const text : {"", "Ünï 龍 😀", "\u00a0\u2028"})
    EXPECT_EQ(visible_text(text), text);
}

TEST(VisibleText, ill_formed_bytes_are_replaced) {
  EXPECT_EQ(visible_text("a\xff\xe9\x80z"), "a\uFFFD\uFFFDz");
}

}  // namespace
}  // namespace neardup::TEST_FILE
