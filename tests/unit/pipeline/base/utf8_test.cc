#include "pipeline/base/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup::TEST_FILE {
namespace {

using std::string_literals::operator""s;

std::string replaced(std::string_view bytes) {
  std::string out = "left over";
  replace_invalid_utf8(bytes, out);
  return out;
}

// U+FFFD is written as '?' where the text is otherwise ASCII.
std::string shown(std::string_view bytes) {
  std::string text = replaced(bytes);
  for (auto at = text.find("\uFFFD"); at != std::string::npos; at = text.find("\uFFFD"))
    text.replace(at, 3, "?");
  return text;
}

TEST(Utf8, ReplacesMaximalSubpartsAsInTheTablesOfUnicode) {
  EXPECT_EQ(shown("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), "????????A");  // table 3-8
  EXPECT_EQ(shown("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), "????????A");  // table 3-9
  EXPECT_EQ(shown("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), "?????A??B");  // table 3-10
  EXPECT_EQ(shown("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "????A");      // table 3-11
  EXPECT_EQ(shown("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"), "a???b?c??d");
}

TEST(Utf8, ReplacesEachByteOfASurrogate) {
  EXPECT_EQ(shown("x\xED\xA0\x80y"), "x???y");
  EXPECT_EQ(shown("\xED\xB0\x80"), "???");
  EXPECT_EQ(replaced("\xED\x9F\xBF\xEE\x80\x80"), "\uD7FF\uE000");
}

TEST(Utf8, ReplacesOverlongFormsByteByByte) {
  EXPECT_EQ(shown("\xC0\x80"), "??");
  EXPECT_EQ(shown("\xC1\xBF"), "??");
  EXPECT_EQ(shown("\xE0\x9F\xBF"), "???");
  EXPECT_EQ(shown("\xF0\x8F\xBF\xBF"), "????");
  EXPECT_EQ(shown("\xF5\x80\x80\x80"), "????");
}

TEST(Utf8, ReplacesATruncatedTailOnce) {
  EXPECT_EQ(shown("ab\xC3"), "ab?");
  EXPECT_EQ(shown("ab\xE4\xBD"), "ab?");
  EXPECT_EQ(shown("ab\xF0\x9F\x98"), "ab?");
}

TEST(Utf8, CountsWhatItReplaces) {
  std::string out;
  EXPECT_EQ(replace_invalid_utf8("\xFFgood\xC3\xA9\xFE\xFE", out), 3U);
  EXPECT_EQ(out, "\uFFFDgood\u00E9\uFFFD\uFFFD");
}

TEST(Utf8, LeavesValidTextAsItIs) {
  for (const auto& text : {""s, "plain"s, "a\0b"s, "\u00E9\u4F60\U0001F600\U0010FFFF"s}) {
    std::string out = "old";
    EXPECT_TRUE(valid_utf8(text));
    EXPECT_EQ(replace_invalid_utf8(text, out), 0U);
    EXPECT_EQ(out, text);
  }
}

TEST(Utf8, MakesEveryByteStringValidAndKeepsValidParts) {
  constexpr unsigned kSeed = 20240501;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::string alphabet = "aZ\x80\xBF\xC2\xE0\xED\xF0\xF4\xFF\x9F\xA0\x90\x8F";
  for (int i = 0; i < 20000; ++i) {
    std::string bytes;
    for (auto n = random() % 12; n > 0; --n) bytes += alphabet[random() % alphabet.size()];
    std::string out;
    const auto count = replace_invalid_utf8(bytes, out);
    ASSERT_TRUE(valid_utf8(out));
    ASSERT_EQ(count == 0, valid_utf8(bytes));
    ASSERT_LE(count, bytes.size());
    ASSERT_EQ(replaced("x" + out + "y"), "x" + out + "y");
    ASSERT_EQ(replaced("\u00E9" + bytes + "\u00E9"), "\u00E9" + out + "\u00E9");
  }
}

TEST(Utf8, ReadsAndWritesEveryCodePoint) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    char bytes[4] = {};
    const char* end = put_code_point(c, bytes);
    ASSERT_TRUE(valid_utf8({bytes, static_cast<std::size_t>(end - bytes)}));
    const char* at = bytes;
    ASSERT_EQ(next_code_point(at), c);
    ASSERT_EQ(at, end);
  }
}

TEST(Utf8, CountsCodePoints) {
  EXPECT_EQ(count_code_points(""), 0U);
  EXPECT_EQ(count_code_points("a\u00E9\u4F60\U0001F600"), 4U);
  EXPECT_EQ(count_code_points(std::string(1000, 'x') + "\u4F60"), 1001U);
}

TEST(Utf8, FindsTheEndOfACodePoint) {
  EXPECT_EQ(code_point_end("a\u4F60", 0), 1U);
  EXPECT_EQ(code_point_end("a\u4F60b", 1), 4U);
  EXPECT_EQ(code_point_end("a\U0001F600", 1), 5U);
}

}  // namespace
}  // namespace neardup::TEST_FILE
