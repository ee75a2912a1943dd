#include "pipeline/match/passages.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ShingleOptions kThreeWords{ShingleUnit::kWord, 3};

std::vector<std::string> texts(const std::vector<Passage>& passages) {
  std::vector<std::string> found;
  for (const Passage& passage : passages) found.emplace_back(passage.text);
  return found;
}

TEST(Passages, shared_and_differing_runs_of_words_are_told_apart) {
  const Passages p = compare_passages("a b c d x e f g", "a b c d y z e f g", kThreeWords);
  EXPECT_THAT(texts(p.shared), ElementsAre("a b c d", "e f g"));
  EXPECT_THAT(texts(p.only_a), ElementsAre("x"));
  EXPECT_THAT(texts(p.only_b), ElementsAre("y z"));
  EXPECT_EQ(p.shared[0].units, 4u);
}

TEST(Passages, a_passage_may_be_cut_otherwise_in_b) {
  const Passages p = compare_passages("a b c d e", "a b c d x b c d e", kThreeWords);
  EXPECT_THAT(texts(p.shared), ElementsAre("a b c d e"));
  EXPECT_THAT(texts(p.shared_b), ElementsAre("a b c d", "b c d e"));
}

TEST(Passages, a_run_shorter_than_a_shingle_is_not_shared) {
  const Passages p = compare_passages("a b x c d", "a b y c d", kThreeWords);
  EXPECT_THAT(p.shared, IsEmpty());
  EXPECT_THAT(texts(p.only_a), ElementsAre("a b x c d"));
  EXPECT_THAT(texts(p.only_b), ElementsAre("a b y c d"));
}

TEST(Passages, the_longest_comes_first) {
  const Passages p = compare_passages("x a b c y d e f g", "a b c z d e f g", kThreeWords);
  EXPECT_THAT(texts(p.shared), ElementsAre("d e f g", "a b c"));
}

TEST(Passages, equal_texts_are_one_shared_passage) {
  for (std::string_view text : {"a", "a b", "a b c", "a b c a b c"}) {
    const Passages p = compare_passages(text, text, kThreeWords);
    EXPECT_THAT(texts(p.shared), ElementsAre(text));
    EXPECT_THAT(p.only_a, IsEmpty());
    EXPECT_THAT(p.only_b, IsEmpty());
  }
}

TEST(Passages, a_text_shorter_than_a_shingle_is_one_shingle) {
  const Passages p = compare_passages("a b", "a b c", kThreeWords);
  EXPECT_THAT(p.shared, IsEmpty());
}

TEST(Passages, characters_are_code_points) {
  const Passages p = compare_passages("größe", "größen", {ShingleUnit::kChar, 2});
  EXPECT_THAT(texts(p.shared), ElementsAre("größe"));
  EXPECT_EQ(p.shared[0].units, 5u);
  EXPECT_THAT(p.only_a, IsEmpty());
  EXPECT_THAT(texts(p.only_b), ElementsAre("n"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
