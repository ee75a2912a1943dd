#include "pipeline/items/edit_distance.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

#include "pipeline/base/utf8.h"

namespace neardup::TEST_FILE {
namespace {

std::string utf8(const std::u32string& text) {
  std::string bytes;
  for (const char32_t c : text) {
    char buffer[4];
    bytes.append(buffer, put_code_point(c, buffer));
  }
  return bytes;
}

// The table of Wagner and Fischer, a row at a time.
std::uint32_t by_table(const std::u32string& a, const std::u32string& b) {
  std::vector<std::uint32_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint32_t diagonal = std::exchange(row[0], static_cast<std::uint32_t>(i + 1));
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::uint32_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::u32string some_text(std::mt19937_64& random, std::size_t size) {
  static constexpr std::u32string_view kLetters = U"abcdeäλ中\U0001f600";
  std::u32string text(size, U' ');
  for (char32_t& c : text) c = kLetters[random() % kLetters.size()];
  return text;
}

std::u32string changed(std::mt19937_64& random, std::u32string text, std::size_t edits) {
  for (; edits > 0; --edits) {
    const std::size_t at = random() % (text.size() + 1);
    if (random() % 2 == 0) text.insert(at, some_text(random, 1));
    if (random() % 2 == 0 && at < text.size()) text.erase(at, 1);
    if (random() % 2 == 0 && at < text.size()) text[at] = some_text(random, 1)[0];
  }
  return text;
}

std::uint32_t distance(const std::u32string& a, const std::u32string& b, std::uint32_t most) {
  return EditPattern(utf8(a)).distance(utf8(b), static_cast<std::uint32_t>(b.size()), most);
}

TEST(EditDistanceTest, IsThatOfTheTable) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::u32string a = some_text(random, random() % (i % 10 == 0 ? 300 : 70));
    const std::u32string b =
        i % 3 == 0 ? some_text(random, random() % 100) : changed(random, a, random() % 12);
    ASSERT_EQ(distance(a, b, 10'000), by_table(a, b)) << utf8(a) << " and " << utf8(b);
  }
}

TEST(EditDistanceTest, EndsAboveTheMost) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 3'000; ++i) {
    const std::u32string a = some_text(random, random() % 150);
    const std::u32string b = changed(random, a, random() % 20);
    const std::uint32_t exact = by_table(a, b);
    const auto most = static_cast<std::uint32_t>(random() % 12);
    const std::uint32_t found = distance(a, b, most);
    ASSERT_EQ(found > most, exact > most);
    ASSERT_TRUE(found > most || found == exact);
  }
}

TEST(EditDistanceTest, BlocksEndAnywhere) {
  std::mt19937_64 random(3);
  for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 127u, 128u, 129u, 4096u}) {
    const std::u32string a = some_text(random, size);
    EXPECT_EQ(distance(a, a, 9), 0u);
    EXPECT_EQ(distance(a, a + U"xy", 9), 2u);
    EXPECT_EQ(distance(a, U"", 5000), size);
    EXPECT_EQ(distance(U"", a, 5000), size);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
