// A search on a device that fails at any step: it says so, and all memory is given back.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "failing_steps.h"
#include "gpu/cuda/search/device_rows.h"
#include "tests/equality/kernels/stored_rows.h"

namespace neardup::TEST_FILE {
namespace {

// About half of the rows fit.
constexpr DeviceRowLimits kLimits{34 << 10, 100, 4, 50};

using testing::fail_after;
using testing::runtime_counts;

class DeviceRowsFailureTest : public ::testing::Test {
 protected:
  ~DeviceRowsFailureTest() override { cudaDeviceReset(); }

  void search() const {
    const auto rows = cuda::make_device_rows(0, 4, kLimits);
    const Seq end = rows->follow(stored_.visit());
    EXPECT_EQ(rows->resident(), 529u);
    auto queries = stored_.queries(6, Shortlist(20));
    rows->search(stored_.visit(end), queries);
    EXPECT_EQ(StoredRows::finished(queries), stored_.wanted(stored_.queries(6, Shortlist(20))));
  }

  const StoredRows stored_{1'000, 4, 2};
};

TEST_F(DeviceRowsFailureTest, a_failure_at_any_step_is_reported) {
  testing::expect_failures_are_reported(100u, [&] { search(); });
}

TEST_F(DeviceRowsFailureTest, a_device_that_has_failed_is_no_place_for_rows) {
  const auto rows = cuda::make_device_rows(0, 4, kLimits);
  fail_after(0);
  EXPECT_THROW(rows->follow(stored_.visit()), DeviceFailure);
  EXPECT_THROW(cuda::make_device_rows(0, 4, kLimits), DeviceFailure);
}

TEST_F(DeviceRowsFailureTest, rows_that_are_there_are_not_copied_again) {
  const auto rows = cuda::make_device_rows(0, 4, kLimits);
  const auto calls = [&](const StoredRows& stored) {
    const std::uint64_t before = runtime_counts().calls;
    rows->follow(stored.visit());
    return runtime_counts().calls - before;
  };
  EXPECT_GT(calls(stored_), 10u);
  const std::uint64_t nothing_copied = calls(stored_);
  EXPECT_LT(nothing_copied, 6u);
  StoredRows changed = stored_;
  for (NamespaceTag& tag : std::span(changed.tags).first(3)) tag ^= 1;
  EXPECT_EQ(calls(changed), nothing_copied + 4);  // words, tags, an event, waiting for it
}

TEST_F(DeviceRowsFailureTest, nothing_is_allocated_for_a_search) {
  const auto rows = cuda::make_device_rows(0, 4, kLimits);
  const std::uint64_t before = runtime_counts().allocations;
  const Seq end = rows->follow(stored_.visit());
  auto queries = stored_.queries(6, Shortlist(20));
  rows->search(stored_.visit(end), queries);
  EXPECT_EQ(runtime_counts().allocations, before);
}

}  // namespace
}  // namespace neardup::TEST_FILE
