// The CUDA and the CPU backend in one run: documents/s and GB/s of normalised text by batch,
// length, family and sketch size; the two settings of the b-bit minwise paper (Li, Shrivastava,
// König 2012); candidate pairs; and small packed sketches, word-parallel and one popcount each
// (what Løvstad's thesis leaves open for GPUs). The CPU runs one thread. Without a device only the
// rows of the CPU are printed. gpu_rows.h describes the columns.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "bench/gpu_pairs.h"
#include "bench/gpu_rows.h"
#include "bench/gpu_texts.h"
#include "gpu/backend.h"
#include "gpu/backends.h"

namespace neardup::bench {
namespace {

constexpr std::uint64_t kCpuBytes = 400'000;        // of text in a call: more changes nothing
constexpr std::size_t kMostElements = 150'000'000;  // in a call; they take 10 bytes of text each
constexpr std::uint32_t kSizes[] = {64, 128, 256, 512, 1024};
constexpr std::size_t kBatches[] = {1000, 10'000, 20'000, 100'000};
constexpr std::size_t kLengths[] = {300, 2000, 20'000, 1'000'000};  // a warp, a block, segments

class GpuBench {
 public:
  explicit GpuBench(const GpuRows& out) : out_(out) {}

  void documents() {
    for (const std::size_t length : kLengths) {
      both("lengths", plan_of(SketchFamily::kFastSimilarity, 256), 0, length, 100'000'000 / length);
    }
    for (const std::size_t batch : kBatches) {
      device_only("batches", plan_of(SketchFamily::kFastSimilarity, 256), 2000, batch);
    }
    for (const std::size_t threads : {1, 2, 4, 8}) callers(threads);
  }

  // 2-universal, 4-universal and fast similarity sketches; the ratio is to the CPU's fast
  // similarity sketch of that size.
  void families() {
    for (const std::uint32_t size : kSizes) {
      const double base = both("fast_similarity", plan_of(SketchFamily::kFastSimilarity, size), 0);
      both("minhash_2u", plan_of(SketchFamily::kMinhash, size, MinhashHash::k2u), base);
      both("minhash_4u", plan_of(SketchFamily::kMinhash, size, MinhashHash::k4u), base);
      both("minhash_ms32", plan_of(SketchFamily::kMinhash, size, MinhashHash::kMs32), base);
    }
  }

  // k = 500; the ratio is to the permutations of the CPU. A set is a text with one word per
  // element, so the times include all work for a document.
  void paper(const char* name, std::size_t elements) {
    SketchPlan plan = plan_of(SketchFamily::kMinhash, 500, MinhashHash::kPermutation);
    plan.shingle.size = 1;
    plan.sketch.universe = 1 << 16;
    if (!out_.wants(name)) return;
    const TextBatch few = make_sets(10, elements);
    std::vector<TextBatch> batches;
    for (const std::size_t batch : {10'000, 20'000}) {
      if (!out_.has_device() || batch * elements > kMostElements) continue;
      batches.push_back(make_sets(batch, elements));
    }
    double base = 0;
    for (const auto& [hash, hash_name] : {std::pair(MinhashHash::kPermutation, "permutation"),
                                          {MinhashHash::k2u, "2u"},
                                          {MinhashHash::k4u, "4u"},
                                          {MinhashHash::kMs32, "ms32"}}) {
      plan.sketch.hash = hash;
      if (hash != MinhashHash::kPermutation) plan.sketch.universe = 0;
      const std::string stage = fmt::format("{}_{}", name, hash_name);
      const double cpu = out_.print(on_cpu(stage, plan, few), base);
      if (base == 0) base = cpu;
      for (const TextBatch& sets : batches) out_.print(on_device(stage, plan, sets), base);
    }
  }

 private:
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

  // Returns the rate that ratios refer to: `base`, or when that is 0, the rate of the CPU.
  double both(const char* stage, const SketchPlan& plan, double base, std::size_t length = 2000,
              std::size_t batch = 20'000) {
    if (!out_.wants(stage)) return base;
    const std::size_t few = std::max<std::size_t>(kCpuBytes / length, 1);
    const double cpu = out_.print(on_cpu(stage, plan, make_texts(few, length)), base);
    if (out_.has_device()) {
      out_.print(on_device(stage, plan, make_texts(batch, length)), base == 0 ? cpu : base);
    }
    return base == 0 ? cpu : base;
  }

  void device_only(const char* stage, const SketchPlan& plan, std::size_t length,
                   std::size_t batch) {
    if (!out_.wants(stage) || !out_.has_device()) return;
    out_.print(on_device(stage, plan, make_texts(batch, length)), 0);
  }

  // Several threads; one that finds the device busy sketches by itself.
  void callers(std::size_t threads) {
    const std::string stage = fmt::format("shared_{}", threads);
    if (!out_.wants(stage) || !out_.has_device()) return;
    const SketchPlan plan = plan_of(SketchFamily::kFastSimilarity, 256);
    const TextBatch texts = make_texts(20'000, 2000);
    const std::vector<SketchTask> tasks = tasks_of(texts);
    std::vector<SketchRows> rows(threads, SketchRows(plan.shape(), texts.size()));
    const auto backend = make_gpu_backend(plan);
    const Timing timing = time_calls(
        out_.options(),
        [&] {
          std::vector<std::jthread> all;
          for (SketchRows& own : rows) {
            all.emplace_back([&] { backend->sketch(texts, tasks, own); });
          }
        },
        wall_seconds);
    require_no_failure(*backend);
    const auto count = static_cast<double>(texts.size());
    out_.print({stage,
                "cuda, cpu",
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
    SketchRows rows = SketchRows(plan.shape(), texts.size());
    std::uint64_t calls = 0;
    const bool on_cpu = name == "cpu";
    const Timing timing = time_calls(
        out_.options(),
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

  const GpuRows& out_;
};

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using namespace neardup;
  const auto options = bench::parse_options(
      argc, argv, "The CUDA backend compared with the CPU backend: sketching, candidate pairs.");
  const bench::GpuRows out(options);
  bench::GpuBench bench(out);
  bench.documents();
  bench.families();
  bench.paper("webspam", 3728);  // 350 000 sets in the paper
  bench.paper("rcv1", 12'062);   // 781 265 sets
  bench::measure_pairs(out, "pairs_same", 256, 1000, 1000);
  bench::measure_pairs(out, "pairs_own", 256, 100, 25'600);
  bench::measure_packed(out);
  return 0;
}
