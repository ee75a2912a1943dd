#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "service/state/differences.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Elements = std::vector<std::uint32_t>;

constexpr std::size_t kLetters = 128;

EditScript script_of(std::string_view a, std::string_view b) {
  return edit_script(Elements(a.begin(), a.end()), Elements(b.begin(), b.end()), kLetters);
}

Elements random_elements(std::size_t size, std::uint32_t kinds, std::mt19937& random) {
  Elements elements(size);
  for (auto& element : elements) element = static_cast<std::uint32_t>(random() % kinds);
  return elements;
}

// The number of elements that are in no change, by the usual table.
std::size_t longest_common_subsequence(const Elements& a, const Elements& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const std::uint32_t element : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = element == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

// B made of A by the script. Fails where an element outside of all changes differs.
std::size_t equal_elements(const Elements& a, const Elements& b, const EditScript& script) {
  std::size_t i = 0, j = 0, equal = 0;
  const auto same_until = [&](std::size_t end_a, std::size_t end_b) {
    EXPECT_EQ(end_a - i, end_b - j);
    EXPECT_TRUE(std::equal(a.begin() + static_cast<std::ptrdiff_t>(i),
                           a.begin() + static_cast<std::ptrdiff_t>(end_a),
                           b.begin() + static_cast<std::ptrdiff_t>(j)));
    equal += end_a - i;
  };
  for (const Change& change : script.changes) {
    same_until(change.a.begin, change.b.begin);
    EXPECT_GT(change.a.size() + change.b.size(), 0u);
    i = change.a.end;
    j = change.b.end;
  }
  same_until(a.size(), b.size());
  return equal;
}

TEST(EditScript, equal_sequences_have_no_change) {
  for (const std::string_view text : {"", "a", "abcabc"})
    EXPECT_THAT(script_of(text, text).changes, IsEmpty());
}

TEST(EditScript, one_replaced_element_is_one_change) {
  EXPECT_THAT(script_of("abcdefg", "abcXefg").changes, ElementsAre(Change{{3, 4}, {3, 4}}));
  EXPECT_THAT(script_of("abc", "Xbc").changes, ElementsAre(Change{{0, 1}, {0, 1}}));
  EXPECT_THAT(script_of("abc", "abX").changes, ElementsAre(Change{{2, 3}, {2, 3}}));
}

TEST(EditScript, what_one_side_lacks_is_an_empty_range_there) {
  EXPECT_THAT(script_of("abcd", "abXYcd").changes, ElementsAre(Change{{2, 2}, {2, 4}}));
  EXPECT_THAT(script_of("abXYcd", "abcd").changes, ElementsAre(Change{{2, 4}, {2, 2}}));
  EXPECT_THAT(script_of("", "ab").changes, ElementsAre(Change{{0, 0}, {0, 2}}));
}

TEST(EditScript, it_is_as_short_as_the_longest_common_subsequence_allows) {
  std::mt19937 random(43);
  for (int i = 0; i < 2000; ++i) {
    const auto kinds = static_cast<std::uint32_t>(1 + random() % 9);
    const Elements a = random_elements(random() % 40, kinds, random);
    const Elements b = random_elements(random() % 40, kinds, random);
    const EditScript script = edit_script(a, b, kinds);
    EXPECT_TRUE(script.shortest);
    ASSERT_EQ(equal_elements(a, b, script), longest_common_subsequence(a, b)) << "case " << i;
  }
}

TEST(EditScript, beyond_the_bound_it_still_makes_b_of_a_and_says_so) {
  std::mt19937 random(44);
  for (const std::size_t steps : {0, 10, 100, 1000, 10000}) {
    const Elements a = random_elements(3000, 4000, random);
    const Elements b = random_elements(2000, 4000, random);
    const EditScript script = edit_script(a, b, 4000, steps);
    EXPECT_FALSE(script.shortest);
    equal_elements(a, b, script);
  }
}

TEST(EditScript, beyond_the_bound_elements_that_occur_once_are_aligned) {
  Elements a, b;
  constexpr std::uint32_t kPairs = 500;
  for (std::uint32_t i = 0; i < kPairs; ++i) {  // each second element differs
    a.insert(a.end(), {i, kPairs + i});
    b.insert(b.end(), {i, 2 * kPairs + i});
  }
  const EditScript script = edit_script(a, b, std::size_t{3} * kPairs, 10000);
  EXPECT_FALSE(script.shortest);
  EXPECT_EQ(equal_elements(a, b, script), kPairs);
}

}  // namespace
}  // namespace neardup::TEST_FILE
