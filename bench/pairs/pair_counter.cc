#include "bench/pairs/pair_counter.h"

#include <utility>

#include "gpu/backend.h"

namespace neardup {
namespace {

class CpuPairCounter : public PairCounter {
 public:
  CpuPairCounter(const SketchShape& shape, const CpuOptions& cpu)
      : shape_(shape), comparer_(shape, cpu) {}

  void equal_bits(const PairLists& lists, std::span<std::uint32_t> counts) override {
    each(lists, shape_.one_bit_words(), counts,
         [this](const std::uint64_t* a, const std::uint64_t* b) {
           return comparer_.equal_bits(a, b);
         });
  }
  void equal_values(const PairLists& lists, std::span<std::uint32_t> counts) override {
    each(lists, shape_.sketch_words(), counts,
         [this](const std::uint64_t* a, const std::uint64_t* b) {
           return comparer_.equal_values(a, b);
         });
  }

 private:
  template <class Count>
  static void each(const PairLists& lists, std::size_t words, std::span<std::uint32_t> counts,
                   Count count) {
    for (std::size_t i = 0; i + 1 < lists.first.size(); ++i) {
      const std::uint64_t* const query = lists.queries.data() + i * words;
      for (std::size_t c = lists.first[i]; c < lists.first[i + 1]; ++c) {
        counts[c] = count(query, lists.rows.data() + lists.candidates[c] * words);
      }
    }
  }

  SketchShape shape_;
  SketchComparer comparer_;
};

class ChoosingPairCounter : public PairCounter {
 public:
  ChoosingPairCounter(const SketchShape& shape, const PairCosts& costs,
                      std::unique_ptr<PairCounter> cpu, std::unique_ptr<PairCounter> device)
      : shape_(shape), costs_(costs), cpu_(std::move(cpu)), device_(std::move(device)) {}

  void equal_bits(const PairLists& lists, std::span<std::uint32_t> counts) override {
    choose(lists, shape_.one_bit_words(),
           [&](PairCounter& chosen) { chosen.equal_bits(lists, counts); });
  }
  void equal_values(const PairLists& lists, std::span<std::uint32_t> counts) override {
    choose(lists, shape_.sketch_words(),
           [&](PairCounter& chosen) { chosen.equal_values(lists, counts); });
  }

 private:
  template <class Count>
  void choose(const PairLists& lists, std::uint32_t row_words, Count count) {
    if (device_ && costs_.device_pays(lists, row_words)) {
      try {
        return count(*device_);
      } catch (const DeviceFailure&) {
        device_.reset();
      }
    }
    count(*cpu_);
  }

  SketchShape shape_;
  PairCosts costs_;
  std::unique_ptr<PairCounter> cpu_;
  std::unique_ptr<PairCounter> device_;
};

}  // namespace

double PairCosts::on_host(std::size_t pairs, std::size_t row_bytes) const {
  const double each =
      host_pair_seconds + 2 * static_cast<double>(row_bytes) / host_bytes_per_second;
  return static_cast<double>(pairs) * each;
}

double PairCosts::on_device(std::size_t pairs, std::size_t rows, std::size_t row_bytes) const {
  constexpr std::size_t kIndex = sizeof(std::uint32_t);
  constexpr std::size_t kCount = sizeof(std::uint32_t);
  const auto gathered = static_cast<double>(rows * row_bytes + pairs * kIndex);
  const auto moved = gathered + static_cast<double>(pairs * kCount);
  return call_seconds + gathered / gather_bytes_per_second + moved / bus_bytes_per_second;
}

bool PairCosts::device_pays(const PairLists& lists, std::uint32_t row_words) const {
  const std::size_t pairs = lists.candidates.size();
  const std::size_t rows = (lists.queries.size() + lists.rows.size()) / row_words;
  const std::size_t row_bytes = std::size_t{row_words} * sizeof(std::uint64_t);
  return on_device(pairs, rows, row_bytes) < on_host(pairs, row_bytes);
}

std::unique_ptr<PairCounter> make_cpu_pair_counter(const SketchShape& shape,
                                                   const CpuOptions& cpu) {
  return std::make_unique<CpuPairCounter>(shape, cpu);
}

std::unique_ptr<PairCounter> make_choosing_pair_counter(const SketchShape& shape,
                                                        const PairCosts& costs,
                                                        std::unique_ptr<PairCounter> cpu,
                                                        std::unique_ptr<PairCounter> device) {
  return std::make_unique<ChoosingPairCounter>(shape, costs, std::move(cpu), std::move(device));
}

}  // namespace neardup
