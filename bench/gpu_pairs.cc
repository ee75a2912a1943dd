#include "bench/gpu_pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "gpu/cuda/kernels/serial_launcher.h"

namespace neardup::bench {
namespace {

// Rows of random bits; the lists of candidates go round all rows.
class PairLoad {
 public:
  PairLoad(std::size_t documents, std::size_t each, std::size_t rows, const SketchShape& shape)
      : shape_(shape),
        documents_(documents),
        rows_(rows),
        bits_((documents + rows) * shape.sketch_words()) {
    std::mt19937_64 random(4);
    for (auto& word : bits_) word = random();
    for (std::size_t i = 0; i <= documents; ++i) {
      first_.push_back(static_cast<std::uint32_t>(i * each));
    }
    for (std::size_t i = 0; i < documents * each; ++i) {
      candidates_.push_back(static_cast<std::uint32_t>(i % rows));
    }
  }
  PairLists lists(bool of_bits) const {
    const std::size_t words = row_words(of_bits);
    const std::span all(bits_);
    return {all.first(documents_ * words), all.subspan(documents_ * words, rows_ * words), first_,
            candidates_};
  }
  std::size_t row_words(bool of_bits) const {
    return of_bits ? shape_.one_bit_words() : shape_.sketch_words();
  }
  std::uint32_t pairs() const { return static_cast<std::uint32_t>(candidates_.size()); }

 private:
  SketchShape shape_;
  std::size_t documents_;
  std::size_t rows_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> candidates_;
};

Measured count(const Options& options, const std::string& stage, const char* name,
               PairCounter& counter, const PairLoad& load, bool of_bits) {
  std::vector<std::uint32_t> counts(load.pairs());
  const PairLists lists = load.lists(of_bits);
  const Timing timing = time_calls(
      options,
      [&] { of_bits ? counter.equal_bits(lists, counts) : counter.equal_values(lists, counts); },
      std::string_view(name) == "cpu" ? thread_seconds : wall_seconds);
  return {stage,
          name,
          256,
          16.0 * static_cast<double>(load.row_words(of_bits)),
          static_cast<double>(load.pairs()),
          timing,
          {},
          0};
}

const char* name_of(cuda::PackedCount count) {
  switch (count) {
    case cuda::PackedCount::kWordParallel:
      return "packed_word_parallel";
    case cuda::PackedCount::kPacked:
      return "packed_together";
    default:
      return "packed_popcount";
  }
}

// What a scan must have found.
std::vector<std::uint64_t> wanted_distances(const std::vector<std::uint64_t>& packed,
                                            std::uint32_t width, std::uint64_t query,
                                            cuda::PackedCount count) {
  std::vector<std::uint64_t> distances(cuda::distances_of_scan(packed.size()));
  cuda::SerialLauncher launcher;
  cuda::scan_packed(launcher, cuda::ScanPacked{packed.data(), distances.data(), packed.size(),
                                               query, width, count});
  return distances;
}

// Throws when a distance is wrong.
Measured scan_packed(const Options& options, DeviceScan& scan,
                     const std::vector<std::uint64_t>& packed, std::uint32_t width,
                     cuda::PackedCount count) {
  const std::uint64_t query = ~std::uint64_t{0} / ((std::uint64_t{1} << width) - 1) * 0x5a;
  std::vector<double> seconds;
  for (std::uint32_t i = 0; i < options.repeat + 2; ++i) {
    seconds.push_back(scan.run(width, query, count));
  }
  const bool together = count == cuda::PackedCount::kPacked;
  const std::uint32_t shared_by = together ? hd::words_of_packed_counts(width) : 1;
  std::vector<std::uint64_t> distances(packed.size() / shared_by);
  scan.read(distances);
  auto wanted = wanted_distances(packed, width, query, count);
  wanted.resize(distances.size());
  if (distances != wanted) throw std::runtime_error("the device counts wrongly");
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  const auto words = static_cast<double>(packed.size());
  return {name_of(count),
          "cuda",
          width,
          width / 8.0,
          words * 64 / width,
          {median, seconds.front(), seconds.back()},
          {1, 0, median, 0},
          8 * words * (1 + 1.0 / shared_by)};
}

}  // namespace

void measure_pairs(const GpuRows& out, const char* stage, std::size_t documents, std::size_t each,
                   std::size_t rows) {
  if (!out.wants(stage)) return;
  constexpr SketchShape kShape{256, 8, 16, 6};
  const PairLoad load(documents, each, rows, kShape);
  for (const bool of_bits : {true, false}) {
    const std::string name = fmt::format("{}_{}", stage, of_bits ? "filter" : "estimate");
    const auto cpu = make_cpu_pair_counter(kShape, {});
    const double base = out.print(count(out.options(), name, "cpu", *cpu, load, of_bits), 0);
    if (!out.has_device()) continue;
    const auto device = make_device_pair_counter(
        kShape, static_cast<std::uint32_t>(documents + rows), load.pairs());
    out.print(count(out.options(), name, "cuda", *device, load, of_bits), base);
  }
}

void measure_packed(const GpuRows& out) {
  if (!out.has_device() || !out.wants("packed")) return;
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> packed(std::size_t{1} << 26);
  for (auto& word : packed) word = random();
  const auto scan = make_device_scan(packed);
  for (const std::uint32_t width : {8, 16, 32}) {
    double base = 0;
    for (const auto count : {cuda::PackedCount::kPopcount, cuda::PackedCount::kWordParallel,
                             cuda::PackedCount::kPacked}) {
      const double rate = out.print(scan_packed(out.options(), *scan, packed, width, count), base);
      if (base == 0) base = rate;
    }
  }
}

}  // namespace neardup::bench
