// Shingling and sketching, single-threaded: MB/s of normalised text and elements/s by family,
// sketch size, length of the documents and SIMD level. Documents are made of 20 000 words from a
// fixed seed, the frequent ones much more often than the rare ones.
#include <memory>
#include <random>
#include <string>

#include "bench/runner.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/option_names.h"
#include "gpu/shingler.h"
#include "gpu/sketcher.h"
#include "pipeline/core/text_batch.h"

namespace neardup::bench {
namespace {

constexpr std::size_t kBatchBytes =
    400'000;  // several documents, so that branches are not learnt by heart
constexpr std::size_t kLengths[] = {300, 2000, 10'000, 100'000};
constexpr SimdLevel kLevels[] = {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512};

std::vector<std::string> vocabulary(std::mt19937_64& random) {
  std::vector<std::string> words(20'000);
  for (std::string& word : words) {
    for (auto n = 1 + random() % 5 + random() % 6; n > 0; --n)
      word += static_cast<char>('a' + random() % 26);
  }
  return words;
}

TextBatch make_documents(std::size_t length) {
  std::mt19937_64 random(1);
  const auto words = vocabulary(random);
  std::uniform_real_distribution<> uniform;
  TextBatch batch;
  while (batch.text_bytes() < kBatchBytes) {
    std::string text;
    while (text.size() < length) {
      const double u = uniform(random);
      text += words[static_cast<std::size_t>(u * u * u * 20'000)] + " ";
    }
    text.pop_back();
    batch.push(text);
  }
  return batch;
}

using ElementLists = std::vector<std::vector<std::uint64_t>>;

ElementLists shingle_all(Shingler& shingler, const TextBatch& documents) {
  ElementLists lists;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto elements = shingler.elements(documents.text(i));
    lists.emplace_back(elements.begin(), elements.end());
  }
  return lists;
}

class SketchBench {
 public:
  SketchBench(const Options& options, SimdLevel level, std::size_t length)
      : options_(options), level_(level), length_(length), documents_(make_documents(length)) {
    Shingler shingler({}, {}, SimdLevel::kAuto);
    lists_ = shingle_all(shingler, documents_);
    for (const auto& list : lists_) elements_ += static_cast<double>(list.size());
  }

  void shingles(const char* stage, const ShingleOptions& shingle) const {
    if (!options_.wants(stage)) return;
    Shingler shingler(shingle, {}, level_);
    std::uint64_t sum = 0;
    print(stage, 0, time_calls(options_, [&] {
            for (std::size_t i = 0; i < documents_.size(); ++i) {
              sum += shingler.elements(documents_.text(i)).back();
            }
          }));
    keep(sum);
  }

  void winners(const char* stage, const SketchOptions& sketch) const {
    if (!options_.wants(stage)) return;
    SketchPlan plan;
    plan.sketch = sketch;
    Sketcher sketcher(plan, std::make_shared<const SketchKeys>(make_sketch_keys(plan)), level_);
    std::uint64_t sum = 0;
    print(stage, sketch.size, time_calls(options_, [&] {
            for (const auto& list : lists_) sum += sketcher.winners(list).back();
          }));
    keep(sum);
  }

 private:
  static void keep(std::uint64_t sum) { asm volatile("" : : "r"(sum)); }

  void print(const char* stage, std::uint32_t size, const Timing& timing) const {
    Row()
        .text("stage", stage)
        .text("simd", simd_name(level_))
        .number("size", size)
        .number("bytes", static_cast<double>(length_))
        .rate("mb_per_s", static_cast<double>(documents_.text_bytes()) / 1e6, timing)
        .number("m_elements_per_s", elements_ / 1e6 / timing.median, 1)
        .number("us_per_document", timing.median * 1e6 / static_cast<double>(documents_.size()), 2)
        .print(options_);
  }

  Options options_;
  SimdLevel level_;
  std::size_t length_;
  TextBatch documents_;
  ElementLists lists_;
  double elements_ = 0;
};

SketchOptions minhash(MinhashHash hash, std::uint64_t universe) {
  SketchOptions sketch;
  sketch.family = SketchFamily::kMinhash;
  sketch.size = 128;
  sketch.hash = hash;
  sketch.universe = universe;
  return sketch;
}

void run(const Options& options, SimdLevel level, std::size_t length) {
  const SketchBench bench(options, level, length);
  bench.shingles("shingle_word_5", {ShingleUnit::kWord, 5});
  bench.shingles("shingle_char_9", {ShingleUnit::kChar, 9});
  for (std::uint32_t size : {128, 256}) {
    SketchOptions sketch;
    sketch.size = size;
    bench.winners("fast_similarity", sketch);
  }
  bench.winners("minhash_2u", minhash(MinhashHash::k2u, 0));
  bench.winners("minhash_4u", minhash(MinhashHash::k4u, 0));
  bench.winners("minhash_ms32", minhash(MinhashHash::kMs32, 0));
  bench.winners("minhash_permutation", minhash(MinhashHash::kPermutation, 1 << 16));
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using namespace neardup;
  const auto options =
      bench::parse_options(argc, argv, "Shingling and sketching speed of one thread.");
  for (SimdLevel level : bench::kLevels) {
    if (!has_simd(level)) continue;
    for (std::size_t length : bench::kLengths) bench::run(options, level, length);
  }
  return 0;
}
