// A device that fails in the middle of a call, at every step of it: the rows are the same.
#include <gtest/gtest.h>

#include <thread>

#include "gpu/backends.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/shared_backend.h"
#include "host_runtime.h"
#include "tests/equality/kernels/families.h"
#include "tests/equality/kernels/texts.h"

namespace neardup::TEST_FILE {
namespace {

using testing::fail_after;
using testing::never_fail;
using testing::runtime_counts;

constexpr cuda::PieceLimits kPieces{70'000, 70'000, 40};  // several of the texts below

class DeviceFailureTest : public ::testing::Test {
 protected:
  std::unique_ptr<SharedBackend> make_backend() {
    auto cpu = make_cpu_backend({}, plan_);
    Backend& for_others = *cpu;
    return std::make_unique<SharedBackend>(
        [&, this] { return cuda::make_cuda_backend(0, kPieces, plan_, for_others); },
        std::move(cpu), std::chrono::seconds(30), [this] { return now_; });
  }
  SketchRows empty() const { return SketchRows(plan_.shape(), texts_.size()); }
  SketchRows sketch(Backend& backend) const {
    SketchRows rows = empty();
    backend.sketch(texts_, tasks_of(texts_), rows);
    return rows;
  }
  static void expect_equal(const SketchRows& a, const SketchRows& b) {
    EXPECT_EQ(a.sketches, b.sketches);
    EXPECT_EQ(a.one_bits, b.one_bits);
    EXPECT_EQ(a.band_keys, b.band_keys);
  }
  ~DeviceFailureTest() override { never_fail(); }

  const SketchPlan plan_ = families().front().plan();
  const TextBatch texts_ = [] {
    TextBatch texts = random_texts(150, 5);
    texts.push(repeated("long", 66'000));
    texts.push(repeated("too long for any piece", 100'000));
    return texts;
  }();
  const SketchRows wanted_ = sketch(*make_cpu_backend({}, plan_));
  SharedBackend::Clock::time_point now_{};
};

TEST_F(DeviceFailureTest, a_failure_at_any_step_is_made_good_on_the_cpu) {
  const std::uint64_t before = runtime_counts().calls;
  expect_equal(sketch(*make_backend()), wanted_);
  const std::uint64_t steps = runtime_counts().calls - before;
  EXPECT_GT(steps, 50u);
  for (std::uint64_t step = 0; step < steps; step += step < 40 ? 1 : 7) {
    SCOPED_TRACE(step);
    const auto backend = make_backend();
    fail_after(step);
    expect_equal(sketch(*backend), wanted_);
    const BackendReport failed = backend->report();
    EXPECT_TRUE(failed.has_failed());
    EXPECT_EQ(failed.failures, 1u);
    EXPECT_EQ(failed.documents_on_cpu, texts_.size());
    EXPECT_NE(failed.last_failure.find("launch failure"), std::string::npos) << failed.last_failure;

    now_ += std::chrono::seconds(30);
    while (backend->report().has_failed()) expect_equal(sketch(*backend), wanted_);
    expect_equal(sketch(*backend), wanted_);
    EXPECT_GE(backend->report().documents_on_device, texts_.size());
  }
  EXPECT_EQ(runtime_counts().held, 0u);
}

TEST_F(DeviceFailureTest, threads_that_meet_a_failing_device_get_their_rows) {
  const auto backend = make_backend();
  fail_after(60);
  std::vector<SketchRows> found(8, empty());
  std::vector<std::thread> threads;
  for (SketchRows& rows : found) {
    threads.emplace_back([&] { backend->sketch(texts_, tasks_of(texts_), rows); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const SketchRows& rows : found) expect_equal(rows, wanted_);
  EXPECT_EQ(backend->report().failures, 1u);
}

TEST_F(DeviceFailureTest, nothing_is_allocated_for_a_call) {
  const auto backend = make_backend();
  const std::uint64_t before = runtime_counts().allocations;
  sketch(*backend);
  sketch(*backend);
  EXPECT_EQ(runtime_counts().allocations, before);
  EXPECT_GE(backend->report().times.pieces, 8u);
}

// Threads find all slots taken, and work themselves.
TEST_F(DeviceFailureTest, more_threads_than_slots_share_the_work) {
  const auto backend = make_backend();
  std::vector<SketchRows> found(12, empty());
  std::vector<std::thread> threads;
  for (SketchRows& rows : found) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) backend->sketch(texts_, tasks_of(texts_), rows);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const SketchRows& rows : found) expect_equal(rows, wanted_);
  const BackendReport report = backend->report();
  EXPECT_EQ(report.documents_on_device + report.documents_shared, 60 * texts_.size());
  EXPECT_GT(report.documents_on_device, 0u);
  EXPECT_GT(report.documents_shared, 0u);
}

// The description once `auto` has started the device, or has found that it cannot.
std::string description_of_auto(const SketchPlan& plan, const TextBatch& texts) {
  const auto backend = neardup::make_backend({BackendName::kAuto, {}, {}}, plan);
  std::string description;
  do {
    SketchRows rows(plan.shape(), texts.size());
    backend->sketch(texts, tasks_of(texts), rows);
    description = backend->description();
  } while (description.find("GPU not started") != description.npos);
  return description;
}

TEST_F(DeviceFailureTest, auto_takes_what_memory_there_is) {
  testing::set_free_memory(std::uint64_t{256} << 20);
  EXPECT_EQ(description_of_auto(plan_, texts_).find("cuda (the host, 3 streams) and cpu ("), 0u);
  testing::set_free_memory(1 << 20);
  const std::string description = description_of_auto(plan_, texts_);
  EXPECT_NE(description.find("no GPU: gpu.memory: 0 MiB are too little"), description.npos)
      << description;
}

}  // namespace
}  // namespace neardup::TEST_FILE
