// The kernels of the CUDA backend against the CPU backend: bit for bit. One set of tests, for their
// bodies on the host and for the device, where there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

#include "families.h"
#include "gpu/backends.h"
#include "launchers.h"
#include "pipeline/base/failure.h"
#include "service/vectors/verify_vectors.h"
#include "texts.h"

namespace neardup::TEST_FILE {
namespace {

using cuda::PieceLimits;

constexpr PieceLimits kSmallPiece{1 << 16, 1 << 16, 10};

// Room for what is to be sketched, and no more: pinned memory is allocated slowly.
PieceLimits one_piece(const TextBatch& texts) {
  const std::uint64_t bytes = std::max<std::uint64_t>(texts.text_bytes(), cuda::kLongText);
  return {bytes, 2 * bytes, static_cast<std::uint32_t>(texts.size() + 1)};
}

void expect_same(Launcher launcher, const SketchPlan& plan, const TextBatch& texts,
                 const std::vector<SketchTask>& tasks, const PieceLimits& limits) {
  SketchRows wanted = SketchRows(plan.shape(), texts.size());
  SketchRows found = wanted;
  make_cpu_backend({}, plan)->sketch(texts, tasks, wanted);
  make_kernels(launcher, plan, limits)->sketch(texts, tasks, found);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(row_of(found, i), row_of(wanted, i)) << "text " << i << " of " << texts.text(i).size()
                                                   << " bytes: " << texts.text(i).substr(0, 80);
  }
}

class KernelsTest : public testing::TestWithParam<std::tuple<Launcher, Family>> {
 protected:
  void SetUp() override {
    if (!why_not(launcher()).empty()) GTEST_SKIP() << "no device: " << why_not(launcher());
  }
  static Launcher launcher() { return std::get<0>(GetParam()); }
  // What a device does in a second takes the host minutes.
  static bool is_for_devices() {
    return launcher() == Launcher::kSerial && std::get<1>(GetParam()).name != "fast_default";
  }
  void expect_same(const TextBatch& texts, const PieceLimits& limits) {
    expect_same(texts, tasks_of(texts), limits);
  }
  void expect_same(const TextBatch& texts, const std::vector<SketchTask>& tasks,
                   const PieceLimits& limits) {
    TEST_FILE::expect_same(launcher(), std::get<1>(GetParam()).plan(), texts, tasks, limits);
  }
};

std::string name_of(const testing::TestParamInfo<std::tuple<Launcher, Family>>& info) {
  return std::get<1>(info.param).name;
}
INSTANTIATE_TEST_SUITE_P(Serial, KernelsTest,
                         testing::Combine(testing::Values(Launcher::kSerial),
                                          testing::ValuesIn(families())),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Device, KernelsTest,
                         testing::Combine(testing::Values(Launcher::kDevice),
                                          testing::ValuesIn(families())),
                         name_of);

TEST_P(KernelsTest, sketch_texts_of_all_lengths) {
  const TextBatch texts = awkward_texts();
  expect_same(texts, one_piece(texts));
}

TEST_P(KernelsTest, sketch_batches_of_awkward_sizes) {
  for (const std::size_t size : {0, 1, 31, 32, 33, 400}) {
    const TextBatch texts = random_texts(size, size + 1);
    expect_same(texts, one_piece(texts));
  }
}

TEST_P(KernelsTest, sketch_a_large_batch) {
  const TextBatch texts = random_texts(is_for_devices() ? 1000 : 20'000, 7, 120);
  expect_same(texts, one_piece(texts));
}

TEST_P(KernelsTest, sketch_a_batch_of_the_same_text) {
  TextBatch texts;
  std::mt19937_64 random(11);
  const std::string text = text_of(random, 700);
  for (int i = 0; i < 333; ++i) texts.push(text);
  expect_same(texts, one_piece(texts));
}

TEST_P(KernelsTest, leave_texts_without_a_task_alone) {
  TextBatch texts;
  std::vector<SketchTask> tasks;
  for (std::uint32_t i = 0; i < 100; ++i) {
    texts.push(i % 3 == 0 ? "" : "some words of text number " + std::to_string(i));
    if (i % 3 != 0) tasks.push_back({i, i});
  }
  std::reverse(tasks.begin(), tasks.end());
  expect_same(texts, tasks, one_piece(texts));
}

TEST_P(KernelsTest, sketch_long_texts_in_segments) {
  const TextBatch texts = long_texts();
  expect_same(texts, one_piece(texts));
}

TEST_P(KernelsTest, sketch_texts_of_5_MB) {
  if (is_for_devices()) return;
  std::mt19937_64 random(8);
  TextBatch texts;
  texts.push(text_of(random, 5'000'000));
  for (int i = 0; i < 50; ++i) texts.push(text_of(random, 100));
  texts.push(repeated("again", 5'000'000));
  texts.push(std::string(5'000'000, 'o'));
  expect_same(texts, one_piece(texts));
}

TEST_P(KernelsTest, give_the_same_rows_in_pieces_of_any_size) {
  const TextBatch texts = random_texts(200, 99);
  expect_same(texts, {10'000, 10'000, 1000});
  expect_same(texts, {1 << 20, 1 << 20, 1});
  expect_same(texts, {1 << 20, 1 << 20, 7});
}

class LauncherTest : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (!why_not(GetParam()).empty()) GTEST_SKIP() << "no device: " << why_not(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Serial, LauncherTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, LauncherTest, testing::Values(Launcher::kDevice));

// Others each time the seed is another: NEARDUP_SEED=123.
std::uint64_t first_seed() {
  const char* const given = std::getenv("NEARDUP_SEED");
  return given == nullptr ? 20260401 : std::strtoull(given, nullptr, 10);
}

TEST_P(LauncherTest, random_plans_give_the_same_rows_of_random_texts) {
  const std::uint64_t runs = GetParam() == Launcher::kDevice ? 300 : 40;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + runs; ++seed) {
    SCOPED_TRACE("NEARDUP_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const SketchPlan plan = random_family(random).plan();
    const TextBatch texts = random_texts(1 + random() % 40, random());
    expect_same(GetParam(), plan, texts, tasks_of(texts), one_piece(texts));
  }
}

TEST_P(LauncherTest, the_golden_vectors_hold) {
  const VectorReport report = verify_rows(built_in_vectors(), [](const SketchPlan& plan) {
    return make_kernels(GetParam(), plan, kSmallPiece);
  });
  EXPECT_GT(report.cases, 100u);
  for (const std::string& line : report.mismatches) ADD_FAILURE() << line;
}

class DeviceTest : public LauncherTest {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeviceTest);
#if defined(NEARDUP_CUDA)
INSTANTIATE_TEST_SUITE_P(Device, DeviceTest, testing::Values(Launcher::kDevice));
#endif

TEST_P(DeviceTest, threads_share_its_slots) {
  const SketchPlan plan = families().front().plan();
  const TextBatch texts = random_texts(300, 21);
  SketchRows wanted = SketchRows(plan.shape(), texts.size());
  make_cpu_backend({}, plan)->sketch(texts, tasks_of(texts), wanted);
  const auto device = make_kernels(GetParam(), plan, {30'000, 30'000, 50});
  std::vector<SketchRows> found(8, SketchRows(plan.shape(), texts.size()));
  std::vector<std::thread> threads;
  for (SketchRows& rows : found) {
    threads.emplace_back([&] { device->sketch(texts, tasks_of(texts), rows); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const SketchRows& rows : found) EXPECT_EQ(rows.band_keys, wanted.band_keys);
  EXPECT_GT(device->report().times.pieces, 8u);
  EXPECT_GT(device->report().times.kernel_seconds, 0);
}

TEST_P(DeviceTest, a_smaller_backend_takes_no_shared_memory_from_a_larger_one) {
  SketchPlan large = families().front().plan();
  large.sketch.size = 16'384;
  const TextBatch texts = random_texts(20, 22);
  SketchRows wanted = SketchRows(large.shape(), texts.size());
  SketchRows found = wanted;
  make_cpu_backend({}, large)->sketch(texts, tasks_of(texts), wanted);
  const auto device = make_kernels(GetParam(), large, one_piece(texts));
  const auto smaller = make_kernels(GetParam(), families().front().plan(), kSmallPiece);
  device->sketch(texts, tasks_of(texts), found);
  EXPECT_EQ(found.band_keys, wanted.band_keys);
}

TEST_P(DeviceTest, too_little_memory_is_told) {
  const SketchPlan plan = families().front().plan();
  try {
    make_backend({BackendName::kCuda, {}, {0, 1 << 20}}, plan);
    FAIL() << "1 MiB were enough";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("gpu.memory"), std::string::npos) << failure.what();
  }
}

// A wrong bit must be noticed by verify_rows.
class WrongBackend : public cuda::SerialBackend {
 public:
  using SerialBackend::SerialBackend;
  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
              SketchRows& rows) override {
    SerialBackend::sketch(texts, tasks, rows);
    rows.one_bits.back() ^= 1;
  }
};

TEST(VerifyRows, tells_of_a_wrong_bit_in_every_case) {
  const VectorReport report = verify_rows(built_in_vectors(), [](const SketchPlan& plan) {
    return std::make_unique<WrongBackend>(plan, kSmallPiece);
  });
  EXPECT_EQ(report.wrong, report.cases);
}

TEST(LaunchTest, small_groups_share_a_block_as_far_as_its_memory_goes) {
  using cuda::groups_in_block;
  EXPECT_EQ(groups_in_block(cuda::kWarp, 0), 8u);
  EXPECT_EQ(groups_in_block(cuda::kWarp, 3200), 8u);
  EXPECT_EQ(groups_in_block(cuda::kWarp, 8192), 8u);
  EXPECT_EQ(groups_in_block(cuda::kWarp, 8193), 7u);
  EXPECT_EQ(groups_in_block(cuda::kWarp, 40'000), 1u);
  EXPECT_EQ(groups_in_block(cuda::kWarp, 132'000), 1u);
  EXPECT_EQ(groups_in_block(cuda::kBlock, 3200), 1u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
