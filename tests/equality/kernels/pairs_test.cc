// The kernels that compare packed rows, on the host and on a device, against the CPU's counts.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "bench/pairs/pair_counter.h"
#include "bench/pairs/pair_kernels.h"
#include "launchers.h"

#if defined(NEARDUP_CUDA)
#include "bench/pairs/cuda_pair_counter.h"
#endif

namespace neardup::TEST_FILE {
namespace {

class SerialPairCounter : public PairCounter {
 public:
  explicit SerialPairCounter(const SketchShape& shape) : shape_(shape) {}
  void equal_bits(const PairLists& lists, std::span<std::uint32_t> counts) override {
    const std::uint32_t words = shape_.one_bit_words();
    count(lists, counts, words, 1, words * 64 - shape_.slots);
  }
  void equal_values(const PairLists& lists, std::span<std::uint32_t> counts) override {
    const std::uint32_t words = shape_.sketch_words();
    count(lists, counts, words, shape_.bits, words * (64 / shape_.bits) - shape_.slots);
  }

 private:
  static void count(const PairLists& lists, std::span<std::uint32_t> counts, std::uint32_t words,
                    std::uint32_t bits, std::uint32_t unused_fields) {
    cuda::SerialLauncher launcher;
    count_pairs(launcher, cuda::Pairs{lists.queries.data(), lists.rows.data(), lists.first.data(),
                                      lists.candidates.data(), counts.data(),
                                      static_cast<std::uint32_t>(lists.first.size() - 1),
                                      static_cast<std::uint32_t>(lists.candidates.size()), words,
                                      bits, unused_fields});
  }
  SketchShape shape_;
};

constexpr std::uint32_t kQueries = 40;
constexpr std::uint32_t kRows = 100;

std::unique_ptr<PairCounter> make_counter(Launcher launcher, const SketchShape& shape) {
#if defined(NEARDUP_CUDA)
  if (launcher == Launcher::kDevice) {
    return cuda::make_cuda_pair_counter(0, shape, {kQueries + kRows, 20'000});
  }
#endif
  (void)launcher;
  return std::make_unique<SerialPairCounter>(shape);
}

// Random rows, unused fields at their ends zero, a few values equal in many of them.
std::vector<std::uint64_t> random_rows(std::mt19937_64& random, std::uint32_t count,
                                       std::uint32_t slots, std::uint32_t bits) {
  const std::uint32_t words = (slots * bits + 63) / 64;
  std::vector<std::uint64_t> rows(std::size_t{count} * words);
  for (std::uint32_t row = 0; row < count; ++row) {
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const std::uint64_t value = random() % 3 == 0 ? random() : slot;
      hd::put_packed(rows.data() + std::size_t{row} * words, slot, bits, value);
    }
  }
  return rows;
}

struct Lists {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> candidates;
};

// So many pairs in lists of every length, empty ones among them.
Lists random_lists(std::mt19937_64& random, std::uint32_t pairs) {
  Lists lists;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    lists.candidates.push_back(static_cast<std::uint32_t>(random() % kRows));
  }
  for (std::uint32_t i = 1; i < kQueries; ++i) {
    lists.first.push_back(static_cast<std::uint32_t>(random() % (pairs + 1)));
  }
  lists.first.push_back(pairs);
  std::sort(lists.first.begin(), lists.first.end());
  return lists;
}

class PairsTest : public testing::TestWithParam<Launcher> {
 protected:
  void SetUp() override {
    if (!why_not(GetParam()).empty()) GTEST_SKIP() << "no device: " << why_not(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Serial, PairsTest, testing::Values(Launcher::kSerial));
INSTANTIATE_TEST_SUITE_P(Device, PairsTest, testing::Values(Launcher::kDevice));

TEST_P(PairsTest, have_the_counts_of_the_cpu) {
  std::mt19937_64 random(17);
  for (const std::uint32_t slots : {1, 63, 64, 100, 256, 1024}) {
    for (const std::uint32_t bits : {1, 2, 4, 8, 16, 32}) {
      const SketchShape shape{slots, bits, 1, 1};
      const auto cpu = make_cpu_pair_counter(shape, {});
      const auto counter = make_counter(GetParam(), shape);
      for (const std::uint32_t pairs : {0, 1, 31, 32, 33, 255, 256, 257, 5000}) {
        SCOPED_TRACE(testing::Message() << slots << " × " << bits << " bits, " << pairs);
        const Lists lists = random_lists(random, pairs);
        std::vector<std::uint32_t> wanted(pairs), found(pairs, 99'999);
        const auto check = [&](std::uint32_t of_bits, auto count) {
          const auto queries = random_rows(random, kQueries, slots, of_bits);
          const auto rows = random_rows(random, kRows, slots, of_bits);
          const PairLists given{queries, rows, lists.first, lists.candidates};
          count(*cpu, given, wanted);
          count(*counter, given, found);
          ASSERT_EQ(found, wanted);
        };
        check(bits, [](PairCounter& by, const PairLists& of, std::vector<std::uint32_t>& counts) {
          by.equal_values(of, counts);
        });
        check(1, [](PairCounter& by, const PairLists& of, std::vector<std::uint32_t>& counts) {
          by.equal_bits(of, counts);
        });
      }
    }
  }
}

std::vector<std::uint64_t> scan(const std::vector<std::uint64_t>& packed, std::uint64_t query,
                                std::uint32_t width, cuda::PackedCount count) {
  std::vector<std::uint64_t> distances(cuda::distances_of_scan(packed.size()), 7);
  cuda::SerialLauncher launcher;
  scan_packed(launcher, cuda::ScanPacked{packed.data(), distances.data(), packed.size(), query,
                                         width, count});
  return distances;
}

// That of sketch i, where the counts of `merged` words of a thread are in one.
std::uint64_t packed_distance(const std::vector<std::uint64_t>& distances, std::size_t i,
                              std::uint32_t width) {
  const std::uint32_t merged = width == 8 ? 2 : width / 8;
  const std::size_t word = i * width / 64, row = word / cuda::kBlock, thread = word % cuda::kBlock;
  const std::size_t field = i % (64 / width) * merged + row % merged;
  const std::uint64_t counts = distances[row / merged * cuda::kBlock + thread];
  return width == 8 ? counts >> 4 * field & 15 : counts >> 8 * field & 255;
}

TEST(ScanPackedTest, small_sketches_are_told_apart_by_all_counts) {
  std::mt19937_64 random(3);
  for (const std::uint32_t width : {8, 16, 32}) {
    for (const std::size_t words : {0, 1, 255, 2047, 2048, 2049, 5000}) {
      std::vector<std::uint64_t> packed(words);
      for (auto& word : packed) word = random();
      const std::uint64_t sketch = random() & hd::value_mask(width);
      const std::uint64_t query = ~std::uint64_t{0} / hd::value_mask(width) * sketch;
      for (const auto count : {cuda::PackedCount::kWordParallel, cuda::PackedCount::kPopcount}) {
        const auto distances = scan(packed, query, width, count);
        for (std::size_t i = 0; i < words * 64 / width; ++i) {
          const auto slot = static_cast<std::uint32_t>(i);
          ASSERT_EQ(hd::packed_value(distances.data(), slot, width),
                    hd::count_naive(hd::packed_value(packed.data(), slot, width) ^ sketch))
              << "sketch " << i << " of " << width << " bits, count " << static_cast<int>(count);
        }
      }
      const auto distances = scan(packed, query, width, cuda::PackedCount::kPacked);
      for (std::size_t i = 0; i < words * 64 / width; ++i) {
        const auto slot = static_cast<std::uint32_t>(i);
        ASSERT_EQ(packed_distance(distances, i, width),
                  hd::count_naive(hd::packed_value(packed.data(), slot, width) ^ sketch))
            << "sketch " << i << " of " << width << " bits";
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
