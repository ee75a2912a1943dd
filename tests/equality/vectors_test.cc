// The golden vectors hold on this machine, and the checker would say so if they did not.
#include <gtest/gtest.h>

#include <string>

#include "service/vectors/verify_vectors.h"
#include "tests/equality/levels.h"

namespace neardup::TEST_FILE {
namespace {

class Vectors : public testing::TestWithParam<SimdLevel> {};

TEST_P(Vectors, all_hold) {
  const VectorReport report = verify_vectors(built_in_vectors(), GetParam());
  EXPECT_GT(report.cases, 300u);
  EXPECT_EQ(report.wrong, 0u);
  for (const std::string& line : report.mismatches) ADD_FAILURE() << line;
}

INSTANTIATE_TEST_SUITE_P(Levels, Vectors, testing::ValuesIn(levels()), level_name);

// `text` with the first character after the first `field` of the first item changed.
std::string with_one_changed(std::string_view text, std::string_view field) {
  std::string changed(text);
  const std::size_t at =
      changed.find_first_of("0123456789abcdef", changed.find(field) + field.size());
  changed[at] = changed[at] == '1' ? '2' : '1';
  return changed;
}

VectorReport report_with(std::string_view hash_field, std::string_view sketch_field,
                         std::string_view estimate_field) {
  VectorFiles files = built_in_vectors();
  std::string changed[3];
  if (!hash_field.empty()) files.hash = changed[0] = with_one_changed(files.hash, hash_field);
  if (!sketch_field.empty())
    files.sketch = changed[1] = with_one_changed(files.sketch, sketch_field);
  if (!estimate_field.empty()) {
    files.estimate = changed[2] = with_one_changed(files.estimate, estimate_field);
  }
  return verify_vectors(files, SimdLevel::kPortable);
}

TEST(VectorCheck, reports_a_changed_expected_value_of_every_field) {
  for (const char* field : {"\"value\": \"", "\"hash\": \"", "\"count\": ", "\"distinct\": ",
                            "\"digest\": \"", "\"elements\": [\""}) {
    EXPECT_EQ(report_with(field, "", "").wrong, 1u) << field;
  }
  for (const char* field :
       {"\"distinct\": ", "\"winning\": [\"", "\"winning_digest\": \"", "\"sketch\": [\"",
        "\"one_bit\": [\"", "\"keys\": [\"", "\"keys_news\": [\""}) {
    EXPECT_EQ(report_with("", field, "").wrong, 1u) << field;
  }
  EXPECT_EQ(report_with("", "", "\"ppm\": ").wrong, 1u);
}

TEST(VectorCheck, reports_a_changed_text) {
  VectorFiles files = built_in_vectors();
  const std::string changed = with_one_changed(files.text, "\"text\": \"");
  files.text = changed;
  EXPECT_EQ(verify_vectors(files, SimdLevel::kPortable).wrong, 1u);
}

TEST(VectorCheck, names_the_case_and_both_values) {
  const VectorReport report = report_with("", "", "\"ppm\": ");
  ASSERT_EQ(report.mismatches.size(), 1u);
  EXPECT_EQ(report.mismatches[0],
            "estimate of 0 of 1, 1 bits: ppm is 0000000000000000, expected 0000000000000001");
}

TEST(VectorCheck, refuses_a_file_that_is_no_vector_file) {
  VectorFiles files = built_in_vectors();
  files.hash = "{\"mix64\": 1}";
  EXPECT_ANY_THROW(verify_vectors(files, SimdLevel::kPortable));
}

}  // namespace
}  // namespace neardup::TEST_FILE
