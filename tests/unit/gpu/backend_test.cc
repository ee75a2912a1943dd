#include "gpu/backend.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "gpu/backends.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/keys.h"
#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

SketchPlan default_plan() {
  SketchPlan plan;
  plan.bands = 16;
  plan.rows = 6;
  return plan;
}

SketchRows rows_for(std::size_t texts, const SketchShape& shape, std::uint64_t fill = 0) {
  SketchRows rows(shape, texts);
  for (auto* words : {&rows.sketches, &rows.one_bits, &rows.band_keys}) {
    std::fill(words->begin(), words->end(), fill);
  }
  return rows;
}

TextBatch three_texts() {
  TextBatch texts;
  texts.push("to be or not to be that is the question");
  texts.push("whether tis nobler in the mind to suffer");
  texts.push("to be or not to be that is the question");
  return texts;
}

std::vector<std::uint64_t> slice(const std::vector<std::uint64_t>& words, std::size_t row,
                                 std::size_t width) {
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {at, at + static_cast<std::ptrdiff_t>(width)};
}

TEST(CpuBackend, writes_the_rows_of_its_tasks_and_leaves_the_others) {
  const SketchPlan plan = default_plan();
  const SketchShape shape = plan.shape();
  const TextBatch texts = three_texts();
  SketchRows rows = rows_for(3, shape, 77);
  const SketchTask tasks[] = {{2, 5}, {0, 5}};
  make_backend({BackendName::kCpu, {}, {}}, plan)->sketch(texts, tasks, rows);
  EXPECT_EQ(slice(rows.sketches, 0, shape.sketch_words()),
            slice(rows.sketches, 2, shape.sketch_words()));
  EXPECT_EQ(slice(rows.band_keys, 0, shape.bands), slice(rows.band_keys, 2, shape.bands));
  for (auto word : slice(rows.sketches, 1, shape.sketch_words())) EXPECT_EQ(word, 77u);
  for (auto word : slice(rows.one_bits, 1, shape.one_bit_words())) EXPECT_EQ(word, 77u);
  for (auto word : slice(rows.band_keys, 1, shape.bands)) EXPECT_EQ(word, 77u);
}

TEST(CpuBackend, keeps_namespaces_apart_by_band_keys_alone) {
  const SketchPlan plan = default_plan();
  const SketchShape shape = plan.shape();
  const TextBatch texts = three_texts();
  SketchRows rows = rows_for(3, shape);
  const SketchTask tasks[] = {{0, hash_namespace({}, "")}, {2, hash_namespace({}, "news")}};
  make_backend({BackendName::kCpu, {}, {}}, plan)->sketch(texts, tasks, rows);
  EXPECT_EQ(slice(rows.sketches, 0, shape.sketch_words()),
            slice(rows.sketches, 2, shape.sketch_words()));
  for (std::uint32_t band = 0; band < shape.bands; ++band) {
    EXPECT_NE(rows.band_keys[band], rows.band_keys[2 * shape.bands + band]);
  }
}

TEST(CpuBackend, gives_the_same_rows_from_several_threads) {
  const SketchPlan plan = default_plan();
  const auto backend = make_backend({BackendName::kCpu, {}, {}}, plan);
  const TextBatch texts = three_texts();
  const SketchTask tasks[] = {{0, 0}, {1, 0}, {2, 0}};
  SketchRows rows[2] = {rows_for(3, plan.shape()), rows_for(3, plan.shape())};
  std::vector<std::thread> threads;
  for (SketchRows& own : rows) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) backend->sketch(texts, tasks, own);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(rows[0].sketches, rows[1].sketches);
  EXPECT_EQ(rows[0].band_keys, rows[1].band_keys);
  EXPECT_NE(rows[0].sketches[0], 0u);
}

TEST(CpuBackend, counts_distinct_shingles_for_the_permutation_family_only) {
  SketchPlan plan = default_plan();
  TextBatch texts;
  texts.push("a b a b a");  // 5 one-word shingles, 2 of them distinct
  plan.shingle.size = 1;
  const SketchTask task{0, 0};
  SketchRows rows = rows_for(1, plan.shape());
  make_backend({BackendName::kCpu, {}, {}}, plan)->sketch(texts, {&task, 1}, rows);
  EXPECT_EQ(rows.distinct_shingles[0], 0u);
  plan.sketch.family = SketchFamily::kMinhash;
  plan.sketch.hash = MinhashHash::kPermutation;
  plan.sketch.universe = 4096;
  make_backend({BackendName::kCpu, {}, {}}, plan)->sketch(texts, {&task, 1}, rows);
  EXPECT_EQ(rows.distinct_shingles[0], 2u);
}

TEST(CpuBackend, says_at_which_level_it_runs) {
  CpuOptions cpu;
  cpu.simd = SimdLevel::kPortable;
  const auto backend = make_backend({BackendName::kCpu, cpu, {}}, default_plan());
  EXPECT_NE(backend->description().find("portable"), std::string::npos) << backend->description();
}

TEST(CpuBackend, refuses_a_level_that_the_machine_lacks) {
  for (SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    CpuOptions cpu;
    cpu.simd = level;
    if (has_simd(level)) {
      EXPECT_NO_THROW(make_backend({BackendName::kCpu, cpu, {}}, default_plan()));
    } else {
      EXPECT_THROW(make_backend({BackendName::kCpu, cpu, {}}, default_plan()), Failure);
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
