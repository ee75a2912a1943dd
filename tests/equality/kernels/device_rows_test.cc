// Rows on a device, and those that do not fit there: the nearest are those of RowScan.
#if defined(NEARDUP_CUDA)

#include "gpu/cuda/search/device_rows.h"

#include <gtest/gtest.h>

#include "launchers.h"
#include "pipeline/core/failure.h"
#include "stored_rows.h"

namespace neardup::cuda {
namespace {

// Small, so that there are many pieces and launches. `rows` fit on the device.
DeviceRowLimits small_limits(std::uint32_t words, std::uint64_t rows) {
  constexpr DeviceRowLimits kSmall{0, 130, 7, 60};
  const std::uint64_t row = words * 8 + 2;
  const std::uint64_t query = words * 8 + 12 + 4 + kSmall.hits * 8;
  return {(rows + 2 * kSmall.piece_rows) * row + kSmall.queries * query, kSmall.piece_rows,
          kSmall.queries, kSmall.hits};
}

class DeviceRowsTest : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (!why_not(GetParam()).empty()) GTEST_SKIP() << "no device: " << why_not(GetParam());
  }

  // Of all rows, of which so many are resident.
  static void expect_nearest(const StoredRows& stored, std::uint64_t resident,
                             const std::vector<RowQuery>& queries) {
    const auto rows =
        make_device_rows(0, stored.words_each, small_limits(stored.words_each, resident));
    std::vector<SketchBlock> others;
    for (SketchBlock block : stored.blocks()) {
      const std::uint32_t held = rows->hold(block);
      block.first += held;
      block.count -= held;
      block.words += std::size_t{held} * block.words_each;
      block.tags += held;
      if (block.count > 0) others.push_back(block);
    }
    const auto wanted = stored.wanted(queries);
    for (int repeat = 0; repeat < 2; ++repeat) {
      auto found = queries;
      rows->search(others, found);
      EXPECT_EQ(StoredRows::finished(found), wanted);
    }
    EXPECT_EQ(rows->resident(), std::min(resident, stored.tags.size()));
  }
};
INSTANTIATE_TEST_SUITE_P(Device, DeviceRowsTest, testing::Values(Launcher::kDevice));

TEST_P(DeviceRowsTest, finds_the_nearest_whatever_fits_on_the_device) {
  for (const std::uint32_t words : {1, 4, 5, 17}) {
    const StoredRows stored(2'000, words, words);
    for (const std::size_t most : {1, 40, 700}) {
      for (const std::uint64_t resident : {0, 1, 1'000, 2'000, 5'000}) {
        SCOPED_TRACE(testing::Message()
                     << words << " words, the nearest " << most << ", resident " << resident);
        expect_nearest(stored, resident, stored.queries(16, Shortlist(most)));
      }
    }
  }
}

TEST_P(DeviceRowsTest, memory_for_queries_and_pieces_is_required) {
  DeviceRowLimits limits = small_limits(4, 0);
  EXPECT_EQ(make_device_rows(0, 4, limits)->resident(), 0u);
  --limits.memory;
  try {
    make_device_rows(0, 4, limits);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
    EXPECT_STREQ(failure.what(), "gpu.memory: 0 MiB are too little, the minimum is 1 MiB");
  }
}

TEST_P(DeviceRowsTest, any_row_can_be_left_out) {
  StoredRows stored(400, 2, 8);
  std::fill(stored.tags.begin(), stored.tags.end(), NamespaceTag{1});
  std::vector<RowQuery> queries;
  for (std::size_t row = 0; row < 400; ++row) {
    queries.push_back({stored.sketches.data() + row * 2, 1, stored.seqs[row], Shortlist(3)});
  }
  expect_nearest(stored, 150, queries);
}

TEST_P(DeviceRowsTest, rows_beyond_the_first_limit_are_not_offered) {
  const StoredRows stored(800, 4, 4);
  expect_nearest(stored, 500, stored.queries(12, Shortlist(30, 60)));
  expect_nearest(stored, 500, stored.queries(12, Shortlist(30, 0)));
}

TEST_P(DeviceRowsTest, of_equal_rows_the_earliest_are_found) {
  StoredRows stored(1'500, 2, 5);
  std::fill(stored.sketches.begin(), stored.sketches.end(), 3);
  std::fill(stored.tags.begin(), stored.tags.end(), NamespaceTag{2});
  expect_nearest(stored, 700, stored.queries(5, Shortlist(100)));
}

TEST_P(DeviceRowsTest, rows_that_come_nearer_and_nearer_are_all_found) {
  StoredRows stored(1'500, 24, 6);
  for (std::size_t row = 0; row < 1'500; ++row) {  // a bit less differs from one to the next
    for (std::size_t bit = 0; bit < 24 * 64; ++bit) {
      const std::uint64_t mask = std::uint64_t{1} << bit % 64;
      std::uint64_t& word = stored.sketches[row * 24 + bit / 64];
      word = bit < row ? word & ~mask : word | mask;
    }
  }
  const std::vector<std::uint64_t> zeros(24);
  auto queries = stored.queries(9, Shortlist(200));
  for (RowQuery& query : queries) query.one_bit = zeros.data();
  expect_nearest(stored, 1'200, queries);
}

TEST_P(DeviceRowsTest, the_first_row_of_a_namespace_may_come_late) {
  StoredRows stored(2'000, 4, 7);
  std::fill_n(stored.tags.begin(), 1'200, NamespaceTag{0});
  std::fill(stored.tags.begin() + 1'200, stored.tags.end(), NamespaceTag{1});
  expect_nearest(stored, 1'000, stored.queries(5, Shortlist(10)));
}

TEST_P(DeviceRowsTest, no_rows_and_no_queries_find_nothing) {
  const auto rows = make_device_rows(0, 4, small_limits(4, 10));
  EXPECT_EQ(rows->hold({}), 0u);
  rows->search({}, {});
  const std::uint64_t one_bit[4] = {};
  std::vector<RowQuery> queries{{one_bit, 1, 0, Shortlist(3)}};
  const SketchBlock none{};
  rows->search({&none, 1}, queries);
  EXPECT_TRUE(queries[0].nearest.finish().empty());
}

}  // namespace
}  // namespace neardup::cuda

#endif
