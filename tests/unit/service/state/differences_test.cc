// What differs between two texts: the parts, and their texts as they were written.
#include "service/state/differences.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

#include "pipeline/text/normalise.h"
#include "service/state/comparison.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "=a", "-a+b", "…3": equal, changed and folded parts. Equal ones by their longer text, as shown.
std::vector<std::string> shown(const Differences& differences) {
  std::vector<std::string> lines;
  for (const auto& [kind, a, b, words] : differences.parts) {
    if (kind == DifferencePart::Kind::kFolded) {
      lines.push_back("…" + std::to_string(words));
    } else if (kind == DifferencePart::Kind::kChanged) {
      lines.push_back("-" + std::string(a) + "+" + std::string(b));
    } else {
      lines.push_back("=" + std::string(a.size() < b.size() ? b : a));
    }
  }
  return lines;
}

Comparison comparison_of(const std::string& a, const std::string& b) {
  const Rule rule;
  return make_comparison(*side_of_text("a", a, rule), *side_of_text("b", b, rule), rule);
}

std::vector<std::string> differences(const std::string& a, const std::string& b) {
  const Comparison comparison = comparison_of(a, b);
  return shown(shown_passages(comparison)->differences);
}

std::string words(std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += "w" + std::to_string(i) + " ";
  return text;
}

TEST(Differences, texts_that_differ_in_case_and_signs_alone_have_none) {
  EXPECT_THAT(differences("The cat, sat.", "the CAT - sat"), IsEmpty());
}

TEST(Differences, a_replaced_an_added_and_a_missing_word) {
  EXPECT_THAT(differences("The cat sat", "The dog sat"), ElementsAre("=The ", "-cat+dog", "= sat"));
  EXPECT_THAT(differences("The sat", "The dog, sat"), ElementsAre("=The ", "-+dog,", "= sat"));
  EXPECT_THAT(differences("The cat sat", "The sat"), ElementsAre("=The ", "-cat+", "= sat"));
  EXPECT_THAT(differences("cat", "cat naps."), ElementsAre("=cat ", "-+naps."));
  EXPECT_THAT(differences("a cat", "b cat"), ElementsAre("-a+b", "= cat"));
}

TEST(Differences, each_character_of_chinese_is_a_word) {
  EXPECT_THAT(differences("今天天气很好", "今天天氣很好"),
              ElementsAre("=今天天", "-气+氣", "=很好"));
}

TEST(Differences, one_changed_word_of_two_thousand_is_one_change_between_two_folds) {
  const std::string head = words(0, 1000), tail = words(1001, 2000);
  EXPECT_THAT(differences(head + "old " + tail, head + "new " + tail),
              ElementsAre("…988", "=" + words(988, 1000), "-old+new",
                          "= " + words(1001, 1012) + "w1012", "…987"));
}

TEST(Differences, changes_parted_by_a_short_word_are_one) {
  EXPECT_THAT(differences("x y z of p q r end", "1 2 3 of 4 5 6 end"),
              ElementsAre("-x y z of p q r+1 2 3 of 4 5 6", "= end"));
  EXPECT_THAT(differences("x of p end", "1 of 4 end"),
              ElementsAre("-x+1", "= of ", "-p+4", "= end"));
}

// For any texts; the words of equal parts are equal.
TEST(Differences, the_parts_of_a_side_are_its_text) {
  std::mt19937 random(45);
  const auto text = [&random] {
    std::string made;
    for (std::size_t i = random() % 60; i < 60; ++i)
      made += std::string(1, static_cast<char>('a' + random() % 4)) + (random() % 3 ? " " : ", \n");
    return made + "end";
  };
  Normaliser normaliser;
  for (int i = 0; i < 300; ++i) {
    const Comparison comparison = comparison_of(text(), text());
    const auto found = shown_passages(comparison)->differences;
    if (found.changes == 0) continue;
    std::string a, b;
    for (const auto& part : found.parts) {
      a += part.a;
      b += part.b;
      if (part.kind == DifferencePart::Kind::kChanged) continue;
      std::string of_a, of_b;
      const auto in_a = normaliser.normalise(part.a, 1000, of_a);
      const auto in_b = normaliser.normalise(part.b, 1000, of_b);
      EXPECT_EQ(of_a.substr(0, in_a.bytes), of_b.substr(0, in_b.bytes));
    }
    EXPECT_EQ(a, *comparison.a.raw);
    EXPECT_EQ(b, *comparison.b.raw);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
