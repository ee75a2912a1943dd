// Text → elements: every SIMD level equals the plain computation, and any chunking gives the same
// elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "gpu/cpu/shingler.h"
#include "pipeline/model/text_batch.h"
#include "tests/equality/direct.h"
#include "tests/equality/levels.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAreArray;
using Random = std::mt19937_64;

constexpr std::uint32_t kSizes[] = {1, 2, 3, 5, 7, 9, 50, 64, 65};

class Shingles : public testing::TestWithParam<SimdLevel> {
 protected:
  direct::Elements elements(std::string_view text, const ShingleOptions& options) {
    TextBatch batch;
    batch.push(text);
    Shingler shingler(options, seed_, GetParam());
    const auto found = shingler.elements(batch.text(0));
    return {found.begin(), found.end()};
  }
  void expect_direct(std::string_view text, const ShingleOptions& options) {
    EXPECT_THAT(elements(text, options), ElementsAreArray(direct::elements(text, options, seed_)))
        << options.size << " units of: " << text;
  }

  Seed seed_{7, 11};
};

INSTANTIATE_TEST_SUITE_P(Levels, Shingles, testing::ValuesIn(levels()), level_name);

std::string token_of(std::size_t length) {
  std::string token;
  while (token.size() < length) token += static_cast<char>('a' + (token.size() * 7 + length) % 26);
  return token;
}

// Tokens of 1 to 9 units from a small vocabulary, so that shingles repeat.
std::string random_text(Random& random, std::size_t tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens; ++i) {
    if (i != 0) text += ' ';
    text += token_of(1 + random() % 70 * (random() % 4 == 0) + random() % 9);
  }
  return text;
}

std::string random_code_points(Random& random, std::size_t count) {
  const std::string_view points[] = {"a", "z",  " ",          "é",         "ж",
                                     "ก", "中", "\U0001F600", "\U00020000"};
  std::string text = "x";
  for (std::size_t i = 1; i < count; ++i) text += points[random() % std::size(points)];
  return text;
}

TEST_P(Shingles, of_tokens_of_any_length_ending_anywhere_in_a_block) {
  for (std::size_t length = 1; length <= 70; ++length) {
    for (std::size_t before = 0; before < 64; ++before) {
      if (before == 1) continue;  // a text does not start with a space
      const std::string head = before == 0 ? "" : token_of(before - 1) + " ";
      expect_direct(head + token_of(length), {ShingleUnit::kWord, 1});
      expect_direct(head + token_of(length) + " end", {ShingleUnit::kWord, 2});
    }
  }
}

TEST_P(Shingles, of_words_equal_the_direct_sum) {
  Random random(1);
  for (std::uint32_t size : kSizes) {
    for (std::size_t tokens : {1, 2, 4, 5, 6, 49, 50, 51, 64, 71, 72, 80, 500, 600, 1200}) {
      expect_direct(random_text(random, tokens), {ShingleUnit::kWord, size});
    }
  }
}

TEST_P(Shingles, of_ascii_equal_the_direct_sum) {
  std::string text;
  for (int i = 1; i < 128; ++i) text += static_cast<char>(i);
  for (std::size_t length : {1, 8, 63, 64, 65, 127})
    expect_direct(std::string_view(text).substr(127 - length), {ShingleUnit::kChar, 4});
}

TEST_P(Shingles, of_code_points_equal_the_direct_sum) {
  Random random(2);
  for (std::uint32_t size : kSizes) {
    for (std::size_t count : {1, 2, 5, 9, 10, 50, 51, 63, 64, 65, 300, 900}) {
      expect_direct(random_code_points(random, count), {ShingleUnit::kChar, size});
    }
  }
}

TEST_P(Shingles, do_not_depend_on_what_follows_the_text_in_its_batch) {
  TextBatch batch;
  batch.push("to be or not to be");
  batch.push("that is the question");
  Shingler shingler({ShingleUnit::kWord, 5}, seed_, GetParam());
  EXPECT_THAT(shingler.elements(batch.text(0)),
              ElementsAreArray(elements("to be or not to be", {ShingleUnit::kWord, 5})));
}

std::string join(const std::vector<std::string_view>& tokens, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += (i == from ? "" : " ") + std::string(tokens[i]);
  return text;
}

TEST_P(Shingles, are_the_same_from_any_cut) {
  Random random(3);
  const std::string text = random_text(random, 120);
  const auto tokens = direct::units(text, ShingleUnit::kWord);
  for (std::uint32_t w : kSizes) {
    const ShingleOptions options{ShingleUnit::kWord, w};
    const auto whole = elements(text, options);
    for (std::size_t cut = 1; cut + w <= tokens.size(); ++cut) {
      auto chunks = elements(join(tokens, 0, cut + w - 1), options);
      const auto rest = elements(join(tokens, cut, tokens.size()), options);
      chunks.insert(chunks.end(), rest.begin(), rest.end());
      ASSERT_THAT(chunks, ElementsAreArray(whole)) << "cut before token " << cut << ", w " << w;
    }
  }
}

TEST_P(Shingles, as_a_set_are_sorted_and_distinct) {
  Shingler shingler({ShingleUnit::kWord, 2}, seed_, GetParam());
  auto wanted = direct::elements("a b a b c a b", {ShingleUnit::kWord, 2}, seed_);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  EXPECT_EQ(wanted.size(), 4u);
  EXPECT_THAT(shingler.sorted_set("a b a b c a b"), ElementsAreArray(wanted));
}

}  // namespace
}  // namespace neardup::TEST_FILE
