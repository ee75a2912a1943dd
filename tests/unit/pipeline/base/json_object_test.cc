#include "pipeline/base/json_object.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::TEST_FILE {
namespace {

std::string as_json(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

TEST(JsonString, EscapesWhatJsonRequires) {
  EXPECT_EQ(as_json(""), R"("")");
  EXPECT_EQ(as_json("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(as_json("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(as_json(std::string("\0\x1f\x7f", 3)), "\"\\u0000\\u001F\x7f\"");
  EXPECT_EQ(as_json("é 文 😀"), "\"é 文 😀\"");
}

// A long text is escaped in slices.
TEST(JsonString, IsTheSameWhereverAnEscapeOrACodePointStands) {
  for (const std::string_view part : {"\"", "\n", "\x01", "é", "😀"}) {
    const std::string inner = as_json(part).substr(1, as_json(part).size() - 2);
    for (std::size_t before = 1015; before < 1030; ++before) {
      const std::string a(before, 'a'), z(3000, 'z');
      ASSERT_EQ(as_json(a + std::string(part) + z), '"' + a + inner + z + '"') << before;
    }
  }
  EXPECT_EQ(as_json(std::string(5000, '\x01')).size(), 2 + 6 * 5000u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
