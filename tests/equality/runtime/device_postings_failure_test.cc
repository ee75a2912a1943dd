// Match-counts on a device that fails at any step: it says so, and all memory is given back.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "failing_steps.h"
#include "gpu/cuda/search/device_postings.h"
#include "tests/equality/kernels/stored_postings.h"

namespace neardup::TEST_FILE {
namespace {

using testing::fail_after;
using testing::runtime_counts;

class DevicePostingsFailureTest : public ::testing::Test {
 protected:
  ~DevicePostingsFailureTest() override { cudaDeviceReset(); }

  void search() const {
    const auto device = cuda::make_device_postings(0, 2, probes_, small_limits());
    device->hold(1, stored_.segment());
    device->hold(2, stored_.segment());
    device->drop(1);
    const auto queries = stored_.queries(9, 2, 50);
    EXPECT_EQ(device->reach(2, queries.view()),
              stored_.reached(queries, probes_, small_limits().hits));
  }

  const StoredPostings stored_{200, 4, 2, 5};
  const std::vector<KeywordProbe> probes_ = keyword_probes(kKeywordBits, 1, 2);
};

TEST_F(DevicePostingsFailureTest, a_failure_at_any_step_is_reported) {
  testing::expect_failures_are_reported(20u, [&] { search(); });
}

TEST_F(DevicePostingsFailureTest, nothing_is_allocated_for_a_search) {
  const auto device = cuda::make_device_postings(0, 2, probes_, small_limits());
  device->hold(1, stored_.segment());
  const std::uint64_t before = runtime_counts().allocations;
  device->reach(1, stored_.queries(9, 2, 50).view());
  EXPECT_EQ(runtime_counts().allocations, before);
}

}  // namespace
}  // namespace neardup::TEST_FILE
