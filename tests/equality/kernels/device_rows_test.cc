// Rows on a device, and those that do not fit there: the nearest are those of RowScan.
#if defined(NEARDUP_CUDA)

#include "gpu/cuda/search/device_rows.h"

#include <gtest/gtest.h>

#include "launchers.h"
#include "pipeline/base/failure.h"
#include "stored_rows.h"

namespace neardup::cuda::TEST_FILE {
namespace {

// Small, so that there are many pieces and launches. `rows` fit on the device.
DeviceRowLimits small_limits(std::uint32_t words, std::uint64_t rows) {
  constexpr DeviceRowLimits kSmall{0, 130, 7, 60};
  const std::uint64_t row = words * 8 + 2;
  const std::uint64_t query = words * 8 + 16 + 4 + kSmall.hits * 8 + 512 * 4;
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
    for (int repeat = 0; repeat < 2; ++repeat) expect_nearest(*rows, stored, queries);
    EXPECT_EQ(rows->resident(), std::min(resident, stored.tags.size()));
  }

  static void expect_nearest(DeviceRows& rows, const StoredRows& stored,
                             const std::vector<RowQuery>& queries) {
    auto found = queries;
    rows.search(stored.visit(rows.follow(stored.visit())), found);
    EXPECT_EQ(StoredRows::finished(found), stored.wanted(queries));
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
    EXPECT_STREQ(failure.what(), "similar.memory: 0 MiB are too little, the minimum is 1 MiB");
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
  const StoredRows none(0, 4, 1);
  EXPECT_EQ(rows->follow(none.visit()), 0u);
  rows->search(none.visit(), {});
  const std::uint64_t one_bit[4] = {};
  std::vector<RowQuery> queries{{one_bit, 1, 0, Shortlist(3)}};
  rows->search(none.visit(), queries);
  EXPECT_TRUE(queries[0].nearest.finish().empty());
}

// What a view of a state may have become since the last one.
TEST_P(DeviceRowsTest, changes_of_the_documents_are_followed) {
  std::mt19937_64 random(8);
  for (const std::uint64_t resident : {0, 300, 1'500, 4'000}) {
    SCOPED_TRACE(testing::Message() << "resident " << resident);
    const auto rows = make_device_rows(0, 2, small_limits(2, resident));
    const StoredRows all(3'000, 2, 3);
    StoredRows stored = all;
    for (int step = 0; step < 60; ++step) {
      SCOPED_TRACE(testing::Message() << "step " << step);
      switch (random() % 6) {
        case 0:  // documents end
          for (int i = 0; i < 50; ++i) stored.tags[random() % stored.tags.size()] = 0;
          break;
        case 1:  // an older view, or all documents
          stored = all;
          break;
        case 2:  // the oldest ones have expired
          stored.cut_front(random() % stored.tags.size());
          break;
        case 3:  // the latest ones were not there yet
          stored.cut_back(random() % stored.tags.size());
          break;
        case 4:  // a whole block has ended, and is left out
          stored.drop_block(random() % stored.runs.size());
          break;
        default:  // nothing
          break;
      }
      if (stored.tags.empty()) stored = all;
      expect_nearest(*rows, stored, stored.queries(5, Shortlist(20)));
    }
  }
}

TEST_P(DeviceRowsTest, a_gap_between_resident_rows_is_filled) {
  StoredRows whole(300, 2, 11);
  whole.runs = {{100, 300, 2, nullptr, nullptr}};
  for (std::size_t row = 0; row < 300; ++row) whole.seqs[row] = 100 + row;
  for (const std::uint32_t last : {100u, 20u}) {  // rows behind the gap
    StoredRows gap = whole;
    gap.cut_back(100 - last);
    gap.cut_middle(100, 100);
    const auto rows = make_device_rows(0, 2, small_limits(2, 1'000));
    expect_nearest(*rows, gap, gap.queries(5, Shortlist(20)));
    expect_nearest(*rows, whole, whole.queries(5, Shortlist(20)));
  }
}

TEST_P(DeviceRowsTest, rows_that_have_expired_give_their_memory_to_later_ones) {
  StoredRows stored(2'000, 4, 4);
  const auto rows = make_device_rows(0, 4, small_limits(4, 500));
  const Seq end = rows->follow(stored.visit());
  stored.cut_front(100);  // less than a quarter of the memory
  EXPECT_EQ(rows->follow(stored.visit()), end);
  stored.cut_front(300);
  EXPECT_GT(rows->follow(stored.visit()), end);
  EXPECT_EQ(rows->resident(), 500u);
  expect_nearest(*rows, stored, stored.queries(5, Shortlist(20)));
}

TEST_P(DeviceRowsTest, rows_that_do_not_fit_are_not_visited) {
  const StoredRows stored(2'000, 4, 4);
  const auto rows = make_device_rows(0, 4, small_limits(4, 500));
  std::uint64_t visited = 0;
  rows->follow([&](const std::function<bool(const SketchBlock&)>& take) {
    stored.visit()([&](const SketchBlock& block) {
      visited += block.count;
      return take(block);
    });
  });
  EXPECT_LT(visited, 1'200u);  // up to two blocks of 300 more
}

TEST_P(DeviceRowsTest, blocks_that_cannot_be_read_spoil_no_later_search) {
  const StoredRows stored(2'000, 4, 4);
  const auto rows = make_device_rows(0, 4, small_limits(4, 700));
  const Seq end = rows->follow(stored.visit());
  for (const int readable : {0, 1, 2, 3}) {
    int left = readable;
    const auto broken = [&](const std::function<bool(const SketchBlock&)>& take) {
      stored.visit(end)([&](const SketchBlock& block) {
        if (left-- == 0) throw Failure(Exit::kIo, "broken");
        return take(block);
      });
    };
    const auto queries = stored.queries(9, Shortlist(10));
    auto found = queries;
    EXPECT_THROW(rows->search(broken, found), Failure);
    found = queries;
    rows->search(stored.visit(end), found);
    EXPECT_EQ(StoredRows::finished(found), stored.wanted(queries));
  }
}

}  // namespace
}  // namespace neardup::cuda::TEST_FILE

#endif
