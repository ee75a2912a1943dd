// The CUDA backend beside the CPU backend, in one run: documents/s and GB/s of normalised text by
// batch, length, family and sketch size; the two settings of the b-bit minwise paper (Li,
// Shrivastava, König 2012); candidate pairs; and small packed sketches, word-parallel beside one
// popcount each (what Løvstad's thesis leaves open for GPUs). Without a device the rows of the CPU
// alone, one thread.
//
// Columns: items are documents, sets, pairs or sketches, of `bytes` bytes each, `batch` of them a
// call; `gb_per_s` is text, or the rows that are compared; by the CPU time of the one thread, or
// with a device by the clock on the wall, from the texts in memory to the rows there. Of the device
// alone: the same by the time of its kernels, as a share of the peak of its memory, and of copying
// to it. `ratio`: items/s beside those of the row that the stage is compared with.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>

#include "bench/gpu_device.h"
#include "bench/gpu_texts.h"
#include "bench/runner.h"
#include "gpu/backend.h"
#include "gpu/hd/bit_count.h"

namespace neardup::bench {
namespace {

constexpr std::uint64_t kCpuBytes = 400'000;        // of text in a call: more changes nothing
constexpr std::size_t kMostElements = 150'000'000;  // in a call; they take 10 bytes of text each
constexpr std::uint32_t kSizes[] = {64, 128, 256, 512, 1024};
constexpr std::size_t kBatches[] = {1000, 10'000, 20'000, 100'000};
constexpr std::size_t kLengths[] = {300, 2000, 20'000, 1'000'000};  // a warp, a block, segments

struct Measured {
  std::string stage;
  std::string backend;
  std::uint32_t size = 0;
  double bytes = 0;
  double batch = 0;
  Timing timing{};
  BackendTimes times{};     // of one call, of a device
  double kernel_bytes = 0;  // that a call's kernels must read; 0: as many as there are
};

class GpuBench {
 public:
  explicit GpuBench(const Options& options) : options_(options), why_not_(why_no_gpu({})) {
    if (why_not_.empty()) {
      device_ = device_facts();
      fmt::print(stderr, "{}: {:.0f} GB/s of memory at most\n", device_->name,
                 device_->peak_bytes_per_second / 1e9);
    } else {
      fmt::print(stderr, "no device ({}): rows of the CPU only\n", why_not_);
    }
  }

  void documents() {
    for (const std::size_t length : kLengths) {
      both("lengths", plan_of(SketchFamily::kFastSimilarity, 256), 0, length, 100'000'000 / length);
    }
    for (const std::size_t batch : kBatches) {
      device_only("batches", plan_of(SketchFamily::kFastSimilarity, 256), 2000, batch);
    }
    for (const std::size_t threads : {1, 2, 4, 8}) callers(threads);
  }

  // 2-universal beside 4-universal beside fast similarity sketches; the ratio is to the CPU's
  // fast similarity sketch of that size.
  void families() {
    for (const std::uint32_t size : kSizes) {
      const double base = both("fast_similarity", plan_of(SketchFamily::kFastSimilarity, size), 0);
      both("minhash_2u", plan_of(SketchFamily::kMinhash, size, MinhashHash::k2u), base);
      both("minhash_4u", plan_of(SketchFamily::kMinhash, size, MinhashHash::k4u), base);
      both("minhash_ms32", plan_of(SketchFamily::kMinhash, size, MinhashHash::kMs32), base);
    }
  }

  // k = 500; the ratio is to the permutations of the CPU. Sets are texts of one word an element, so
  // all is timed that a document needs.
  void paper(const char* name, std::size_t elements) {
    SketchPlan plan = plan_of(SketchFamily::kMinhash, 500, MinhashHash::kPermutation);
    plan.shingle.size = 1;
    plan.sketch.universe = 1 << 16;
    double base = 0;
    for (const auto& [hash, hash_name] : {std::pair(MinhashHash::kPermutation, "permutation"),
                                          {MinhashHash::k2u, "2u"},
                                          {MinhashHash::k4u, "4u"},
                                          {MinhashHash::kMs32, "ms32"}}) {
      plan.sketch.hash = hash;
      if (hash != MinhashHash::kPermutation) plan.sketch.universe = 0;
      const std::string stage = fmt::format("{}_{}", name, hash_name);
      if (!options_.wants(stage)) continue;
      const double cpu = print(on_cpu(stage, plan, make_sets(10, elements)), base);
      if (base == 0) base = cpu;
      for (const std::size_t batch : {10'000, 20'000}) {
        if (!device_ || batch * elements > kMostElements) continue;
        print(on_device(stage, plan, make_sets(batch, elements)), base);
      }
    }
  }

  // Each document has `each` candidates among `rows`.
  void pairs(const char* stage, std::size_t documents, std::size_t each, std::size_t rows) {
    if (!options_.wants(stage)) return;
    constexpr SketchShape kShape{256, 8, 16, 6};
    const PairLoad load(documents, each, rows, kShape);
    for (const bool of_bits : {true, false}) {
      const std::string name = fmt::format("{}_{}", stage, of_bits ? "filter" : "estimate");
      const auto cpu = make_cpu_pair_counter(kShape, {});
      const double base = print(count(name, "cpu", *cpu, load, of_bits), 0);
      if (!device_) continue;
      const auto device = make_device_pair_counter(
          kShape, static_cast<std::uint32_t>(documents + rows), load.pairs());
      print(count(name, "cuda", *device, load, of_bits), base);
    }
  }

  void scans() {
    if (!device_ || !options_.wants("packed")) return;
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> packed(std::size_t{1} << 26);
    for (auto& word : packed) word = random();
    const auto scan = make_device_scan(packed);
    for (const std::uint32_t width : {8, 16, 32}) {
      const double base = print(scan_packed(*scan, packed, width, false), 0);
      print(scan_packed(*scan, packed, width, true), base);
    }
  }

 private:
  // Rows of random bits, the same candidates in turn.
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

  static SketchPlan plan_of(SketchFamily family, std::uint32_t size,
                            MinhashHash hash = MinhashHash::k2u) {
    SketchPlan plan;
    plan.sketch.family = family;
    plan.sketch.size = size;
    plan.sketch.hash = hash;
    plan.bands = 16;
    plan.rows = size < 96 ? 4 : 6;
    return plan;
  }

  // The rate of the CPU, for ratios.
  double both(const char* stage, const SketchPlan& plan, double base, std::size_t length = 2000,
              std::size_t batch = 20'000) {
    if (!options_.wants(stage)) return base;
    const std::size_t few = std::max<std::size_t>(kCpuBytes / length, 1);
    const double cpu = print(on_cpu(stage, plan, make_texts(few, length)), base);
    if (device_) {
      print(on_device(stage, plan, make_texts(batch, length)), base == 0 ? cpu : base);
    }
    return base == 0 ? cpu : base;
  }

  void device_only(const char* stage, const SketchPlan& plan, std::size_t length,
                   std::size_t batch) {
    if (!options_.wants(stage) || !device_) return;
    print(on_device(stage, plan, make_texts(batch, length)), 0);
  }

  // Several threads that fill pinned memory and wait for the device.
  void callers(std::size_t threads) {
    const std::string stage = fmt::format("callers_{}", threads);
    if (!options_.wants(stage) || !device_) return;
    const SketchPlan plan = plan_of(SketchFamily::kFastSimilarity, 256);
    const TextBatch texts = make_texts(20'000, 2000);
    const std::vector<SketchTask> tasks = tasks_of(texts);
    std::vector<SketchRows> rows(threads, rows_for(texts, plan.shape()));
    const auto backend = make_gpu_backend(plan);
    const Timing timing = time_calls(
        options_,
        [&] {
          std::vector<std::jthread> all;
          for (SketchRows& own : rows) {
            all.emplace_back([&] { backend->sketch(texts, tasks, own); });
          }
        },
        wall_seconds);
    require_no_failure(*backend);
    const auto count = static_cast<double>(texts.size());
    print({stage,
           "cuda",
           plan.sketch.size,
           static_cast<double>(texts.text_bytes()) / count,
           count * static_cast<double>(threads),
           timing,
           {},
           0},
          0);
  }

  static std::vector<SketchTask> tasks_of(const TextBatch& texts) {
    std::vector<SketchTask> tasks;
    for (std::uint32_t i = 0; i < texts.size(); ++i) tasks.push_back({i, 0});
    return tasks;
  }
  static SketchRows rows_for(const TextBatch& texts, const SketchShape& shape) {
    SketchRows rows;
    rows.sketches.resize(texts.size() * shape.sketch_words());
    rows.one_bit.resize(texts.size() * shape.one_bit_words());
    rows.buckets.resize(texts.size() * shape.bands);
    rows.distinct_shingles.resize(texts.size());
    return rows;
  }
  static std::unique_ptr<Backend> make_gpu_backend(const SketchPlan& plan) {
    return make_backend({BackendName::kCuda, {}, {0, std::uint64_t{8} << 30}}, plan);
  }
  static void require_no_failure(const Backend& backend) {
    const BackendReport report = backend.report();
    if (report.failures != 0) throw std::runtime_error("the device failed: " + report.last_failure);
  }

  Measured on_cpu(const std::string& stage, const SketchPlan& plan, const TextBatch& texts) const {
    const auto backend = make_backend({BackendName::kCpu, {}, {}}, plan);
    return sketch(stage, "cpu", plan, texts, *backend);
  }

  Measured on_device(const std::string& stage, const SketchPlan& plan,
                     const TextBatch& texts) const {
    const auto backend = make_gpu_backend(plan);
    Measured row = sketch(stage, "cuda", plan, texts, *backend);
    require_no_failure(*backend);
    return row;
  }

  Measured sketch(const std::string& stage, const std::string& name, const SketchPlan& plan,
                  const TextBatch& texts, Backend& backend) const {
    const std::vector<SketchTask> tasks = tasks_of(texts);
    SketchRows rows = rows_for(texts, plan.shape());
    std::uint64_t calls = 0;
    const bool on_cpu = name == "cpu";
    const Timing timing = time_calls(
        options_,
        [&] {
          backend.sketch(texts, tasks, rows);
          ++calls;
        },
        on_cpu ? thread_seconds : wall_seconds);
    const auto count = static_cast<double>(texts.size());
    const BackendTimes all = backend.report().times;
    const auto each = static_cast<double>(calls);
    return {stage,
            name,
            plan.sketch.size,
            static_cast<double>(texts.text_bytes()) / count,
            count,
            timing,
            {all.pieces, all.copy_in_seconds / each, all.kernel_seconds / each,
             all.copy_out_seconds / each},
            0};
  }

  Measured count(const std::string& stage, const char* name, PairCounter& counter,
                 const PairLoad& load, bool of_bits) const {
    std::vector<std::uint32_t> counts(load.pairs());
    const PairLists lists = load.lists(of_bits);
    const Timing timing = time_calls(
        options_,
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

  // Throws when a distance is wrong.
  Measured scan_packed(DeviceScan& scan, const std::vector<std::uint64_t>& packed,
                       std::uint32_t width, bool word_parallel) const {
    const std::uint64_t query = ~std::uint64_t{0} / ((std::uint64_t{1} << width) - 1) * 0x5a;
    std::vector<double> seconds;
    for (std::uint32_t i = 0; i < options_.repeat + 2; ++i) {
      seconds.push_back(scan.run(width, query, word_parallel));
    }
    std::vector<std::uint64_t> distances(packed.size());
    scan.read(distances);
    for (std::size_t i = 0; i < packed.size(); ++i) {
      if (distances[i] != hd::count_fields(packed[i] ^ query, width)) {
        throw std::runtime_error("the device counts wrongly");
      }
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    const auto words = static_cast<double>(packed.size());
    return {fmt::format("packed_{}", word_parallel ? "word_parallel" : "popcount"),
            "cuda",
            width,
            width / 8.0,
            words * 64 / width,
            {median, seconds.front(), seconds.back()},
            {1, 0, median, 0},
            2 * 8 * words};
  }

  // Returns the items per second.
  double print(const Measured& row, double base) const {
    const double bytes = row.bytes * row.batch;
    const double rate = row.batch / row.timing.median;
    const auto gb_per_s = [](double amount, double seconds) {
      return seconds == 0 ? 0 : amount / seconds / 1e9;
    };
    const double kernels =
        gb_per_s(row.kernel_bytes == 0 ? bytes : row.kernel_bytes, row.times.kernel_seconds);
    Row()
        .text("stage", row.stage)
        .text("backend", row.backend)
        .number("size", row.size)
        .number("bytes", row.bytes, 1)
        .number("batch", row.batch)
        .rate("items_per_s", row.batch, row.timing)
        .number("gb_per_s", gb_per_s(bytes, row.timing.median), 3)
        .number("kernel_gb_per_s", kernels, 3)
        .number("share_of_peak", device_ ? kernels * 1e9 / device_->peak_bytes_per_second : 0, 3)
        .number("copy_in_gb_per_s", gb_per_s(bytes, row.times.copy_in_seconds), 3)
        .number("ratio", base == 0 ? 1 : rate / base, 2)
        .print(options_);
    return rate;
  }

  Options options_;
  std::string why_not_;
  std::optional<DeviceFacts> device_;
};

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using namespace neardup;
  const auto options = bench::parse_options(
      argc, argv, "The CUDA backend beside the CPU backend: sketching, candidate pairs.");
  bench::GpuBench bench(options);
  bench.documents();
  bench.families();
  bench.paper("webspam", 3728);  // 350 000 sets in the paper
  bench.paper("rcv1", 12'062);   // 781 265 sets
  bench.pairs("pairs_same", 256, 1000, 1000);
  bench.pairs("pairs_own", 256, 100, 25'600);
  bench.scans();
  return 0;
}
