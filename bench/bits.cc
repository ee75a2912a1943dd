// Distances of one query to n packed sketches per second, by length, number and way to count bits
// (the open question of Løvstad's thesis). Every method must find the same distances.
#include <fmt/core.h>

#include <cstring>
#include <random>

#include "bench/bits_scan.h"
#include "bench/runner.h"
#include "gpu/hd/bit_count.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kLengths[] = {8, 16, 32, 64, 128, 256, 512, 1024};
constexpr std::size_t kCounts[] = {1024, 65'536, 1'048'576};

class BitsBench {
 public:
  BitsBench(const Options& options, std::uint32_t length, std::size_t count)
      : options_(options),
        length_(length),
        count_(count),
        packed_(count * length / 64),
        query_(16) {
    std::mt19937_64 random(length);
    for (auto& word : packed_) word = random();
    for (auto& word : query_) word = random();
    // Up to 32 bits the query is in every field of a word.
    for (std::uint32_t done = length; done < 64; done *= 2) {
      const std::uint64_t field = query_[0] & ((std::uint64_t{1} << done) - 1);
      query_[0] = field | field << done;
    }
    wanted_ = distances(scalar_scans().front());
  }

  // Returns whether the distances are right.
  bool measure(const ScanMethod& method) {
    if (!options_.wants(method.name)) return true;
    if (distances(method) != wanted_) {
      fmt::print(stderr, "{} {} counts wrongly at {} bits\n", method.name, method.simd, length_);
      return false;
    }
    std::vector<std::uint64_t> out(words_of_distances());
    const Timing timing = time_calls(options_, [&] { method.scan(input(), out.data()); });
    Row()
        .text("method", method.name)
        .text("simd", method.simd)
        .number("bits", length_)
        .number("sketches", static_cast<double>(count_))
        .rate("m_per_s", static_cast<double>(count_) / 1e6, timing, 1)
        .print(options_);
    return true;
  }

 private:
  ScanInput input() const { return {query_.data(), packed_.data(), packed_.size(), length_}; }

  // In the order of the sketches.
  std::vector<std::uint16_t> distances(const ScanMethod& method) const {
    std::vector<std::uint64_t> out(words_of_distances());
    method.scan(input(), out.data());
    std::vector<std::uint16_t> found;
    for (std::size_t i = 0; i < count_; ++i) found.push_back(distance(out, i, method.packs));
    return found;
  }

  std::size_t words_of_distances() const { return std::max(packed_.size(), count_ / 4); }

  // That of sketch i.
  std::uint16_t distance(const std::vector<std::uint64_t>& out, std::size_t i, bool packs) const {
    const auto field = [&](std::size_t word, std::size_t at, std::uint32_t bits) {
      return static_cast<std::uint16_t>(out[word] >> at * bits & ((std::uint64_t{1} << bits) - 1));
    };
    const std::size_t word = i * length_ / 64, in_word = i % (64 / std::min(length_, 64u));
    if (packs && length_ <= 64) {
      const std::uint32_t merged = hd::words_of_packed_counts(length_);
      return field(word / (8 * merged) * 8 + word % 8, in_word * merged + word / 8 % merged,
                   length_ == 8 ? 4 : 8);
    }
    if (length_ <= 32) return field(word, in_word, length_);
    return field(i / 4, i % 4, 16);
  }

  Options options_;
  std::uint32_t length_;
  std::size_t count_;
  std::vector<std::uint64_t> packed_;
  std::vector<std::uint64_t> query_;
  std::vector<std::uint16_t> wanted_;
};

bool run(const Options& options, std::uint32_t length, std::size_t count) {
  BitsBench bench(options, length, count);
  for (const auto& methods : {scalar_scans(), avx2_scans(), avx512_scans()}) {
    for (const ScanMethod& method : methods) {
      if (!bench.measure(method)) return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using namespace neardup::bench;
  const Options options = parse_options(
      argc, argv, "Distances of one query to n packed sketches, in millions per second.");
  for (std::size_t count : kCounts) {
    for (std::uint32_t length : kLengths) {
      if (!run(options, length, count)) return 70;
    }
  }
  return 0;
}
