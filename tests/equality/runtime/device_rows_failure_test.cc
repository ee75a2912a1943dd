// A search on a device that fails at any step: it says so, and all memory is given back.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "gpu/cuda/search/device_rows.h"
#include "host_runtime.h"
#include "tests/equality/kernels/stored_rows.h"

namespace neardup {
namespace {

using testing::fail_after;
using testing::runtime_counts;

class DeviceRowsFailureTest : public ::testing::Test {
 protected:
  ~DeviceRowsFailureTest() override { cudaDeviceReset(); }

  // Half of the rows are resident.
  void search() const {
    const auto rows = cuda::make_device_rows(0, 4, {1 << 20, 100, 4, 50});
    const std::vector<SketchBlock> blocks = stored_.blocks();
    for (const SketchBlock& block : std::span(blocks).first(blocks.size() / 2)) rows->hold(block);
    auto queries = stored_.queries(6, Shortlist(20));
    rows->search(std::span(blocks).subspan(blocks.size() / 2), queries);
    EXPECT_EQ(StoredRows::finished(queries), stored_.wanted(stored_.queries(6, Shortlist(20))));
  }

  const StoredRows stored_{1'000, 4, 2};
};

TEST_F(DeviceRowsFailureTest, a_failure_at_any_step_is_reported) {
  const std::uint64_t before = runtime_counts().calls;
  search();
  const std::uint64_t steps = runtime_counts().calls - before;
  EXPECT_GT(steps, 100u);
  for (std::uint64_t step = 0; step < steps; ++step) {
    fail_after(step);
    EXPECT_THROW(search(), DeviceFailure) << step;
    EXPECT_EQ(runtime_counts().held, 0u);
    cudaDeviceReset();
  }
  search();
}

TEST_F(DeviceRowsFailureTest, a_device_that_has_failed_is_no_place_for_rows) {
  const auto rows = cuda::make_device_rows(0, 4, {1 << 20, 100, 4, 50});
  fail_after(0);
  EXPECT_THROW(rows->hold(stored_.blocks().front()), DeviceFailure);
  EXPECT_THROW(cuda::make_device_rows(0, 4, {1 << 20, 100, 4, 50}), DeviceFailure);
}

TEST_F(DeviceRowsFailureTest, nothing_is_allocated_for_a_search) {
  const auto rows = cuda::make_device_rows(0, 4, {1 << 20, 100, 4, 50});
  const std::uint64_t before = runtime_counts().allocations;
  const std::vector<SketchBlock> blocks = stored_.blocks();
  rows->hold(blocks.front());
  auto queries = stored_.queries(6, Shortlist(20));
  rows->search(std::span(blocks).subspan(1), queries);
  EXPECT_EQ(runtime_counts().allocations, before);
}

}  // namespace
}  // namespace neardup
