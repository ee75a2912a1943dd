// Sketches as sparse vectors: their inner products are what the estimator counts.
#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "gpu/cpu/compare.h"
#include "gpu/hd/pack.h"
#include "service/commands/commands.h"
#include "service/report/feature_vector.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;

struct Vector {
  std::string label;
  std::vector<std::uint64_t> places;
};

Vector parse(const std::string& line) {
  std::istringstream words(line);
  Vector vector;
  words >> vector.label;
  for (std::string word; words >> word;) {
    EXPECT_TRUE(word.ends_with(":1")) << word;
    vector.places.push_back(std::stoull(word));
  }
  return vector;
}

std::vector<Vector> parse_lines(const std::string& lines) {
  std::istringstream in(lines);
  std::vector<Vector> vectors;
  for (std::string line; std::getline(in, line);) vectors.push_back(parse(line));
  return vectors;
}

std::size_t inner_product(const Vector& a, const Vector& b) {
  const std::set<std::uint64_t> of_a(a.places.begin(), a.places.end());
  return static_cast<std::size_t>(std::count_if(
      b.places.begin(), b.places.end(), [&](std::uint64_t place) { return of_a.contains(place); }));
}

// Two rows that agree in about every other value.
TEST(Features, InnerProductsAreTheCountsOfEqualValues) {
  for (const std::uint32_t bits : {1u, 2u, 4u, 8u, 16u}) {
    for (const std::uint32_t slots : {1u, 7u, 64u, 256u}) {
      const SketchShape shape{slots, bits, 1, 1};
      std::vector<std::uint64_t> a(shape.sketch_words(), 0);
      std::vector<std::uint64_t> b(shape.sketch_words(), 0);
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const std::uint64_t value = hd::mix64(slot + bits);
        hd::put_packed(a.data(), slot, bits, value);
        hd::put_packed(b.data(), slot, bits, slot % 2 == 0 ? value : hd::mix64(value));
      }
      std::string lines;
      append_features(shape, a.data(), lines);
      append_features(shape, b.data(), lines);
      const auto vectors = parse_lines(lines);
      ASSERT_EQ(vectors.size(), 2u);
      for (const Vector& vector : vectors) {
        EXPECT_EQ(vector.places.size(), slots);
        EXPECT_TRUE(std::is_sorted(vector.places.begin(), vector.places.end()));
        EXPECT_GE(vector.places.front(), 1u);
        EXPECT_LE(vector.places.back(), feature_count(shape));
      }
      EXPECT_EQ(inner_product(vectors[0], vectors[1]),
                SketchComparer(shape, {}).equal_values(a.data(), b.data()))
          << bits << " bits, " << slots << " slots";
    }
  }
}

class FeaturesCommand : public ::testing::Test {
 protected:
  std::string documents(const std::string& lines) {
    std::string path = scratch_.file("documents.jsonl");
    std::ofstream(path) << lines;
    return path;
  }
  ScratchDirectory scratch_;
};

TEST_F(FeaturesCommand, WritesALineForEachRecordInOrder) {
  const std::string input = documents(
      R"({"id":"a","text":"one two three four five six seven eight nine ten"}
{"id":"b","text":"too short"}
not JSON
{"id":"c","text":"one two three four five six seven eight nine ten"}
{"id":"d","text":"one two three four five six seven eight nine eleven"}
)");
  const auto outcome =
      testing::run_command(run_features, {"features", "--set", "text.min_tokens=5", input});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto vectors = parse_lines(outcome.out);
  ASSERT_EQ(vectors.size(), 5u);
  EXPECT_EQ(vectors[0].places.size(), 256u);
  EXPECT_TRUE(vectors[1].places.empty());
  EXPECT_TRUE(vectors[2].places.empty());
  EXPECT_EQ(inner_product(vectors[0], vectors[3]), 256u);
  EXPECT_GT(inner_product(vectors[0], vectors[4]), 128u);
  EXPECT_LT(inner_product(vectors[0], vectors[4]), 256u);
  for (const Vector& vector : vectors) EXPECT_EQ(vector.label, "0");
}

TEST_F(FeaturesCommand, RefusesMoreFeaturesThanLibsvmCounts) {
  const auto outcome =
      testing::run_command(run_features, {"features", "--set", "sketch.bits=32", documents("")});
  EXPECT_EQ(outcome.status, 78);
  EXPECT_THAT(outcome.err, HasSubstr("take fewer bits"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
