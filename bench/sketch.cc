// Shingling and sketching, single-threaded: MB/s of normalised text and elements/s by family,
// sketch size, length of the documents and SIMD level. Documents are made of 20 000 words from a
// fixed seed, the frequent ones much more often than the rare ones. `raw_to_row` is the whole way
// from raw text: normalisation, shingles, a row with its band keys; of the same words, of Chinese
// pages of 875 bytes, and of documents that are one word repeated or their first 250 bytes
// repeated.
#include <memory>
#include <random>
#include <string>

#include "bench/runner.h"
#include "gpu/cpu/shingler.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/cpu/sketcher.h"
#include "gpu/options.h"
#include "pipeline/base/utf8.h"
#include "pipeline/model/text_batch.h"
#include "pipeline/text/normalise.h"

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

// The start of each document, up to a space behind `bytes` bytes, again and again.
TextBatch repeat_start(const TextBatch& documents, std::size_t bytes) {
  TextBatch batch;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string_view document = documents.text(i);
    const std::size_t end = document.find(' ', bytes);
    std::string text;
    while (text.size() < document.size()) text.append(document.substr(0, end)) += ' ';
    text.pop_back();
    batch.push(text);
  }
  return batch;
}

// Ideographs, with a comma after every four to twenty.
TextBatch make_chinese_pages() {
  std::mt19937_64 random(1);
  TextBatch batch;
  const auto add = [](char32_t c, std::string& text) {
    char bytes[4];
    text.append(bytes, put_code_point(c, bytes));
  };
  while (batch.text_bytes() < kBatchBytes) {
    std::string text;
    for (auto left = 4 + random() % 16; text.size() < 872; --left) {
      add(left == 0 ? U'，' : static_cast<char32_t>(0x4E00 + random() % 5000), text);
      if (left == 0) left = 4 + random() % 16;
    }
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
  SketchBench(const Options& options, SimdLevel level, std::size_t length, TextBatch documents)
      : options_(options), level_(level), length_(length), documents_(std::move(documents)) {
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

  // 36 bands of 7 rows.
  void raw_to_row(const char* stage) const {
    if (!options_.wants(stage)) return;
    SketchPlan plan;
    plan.bands = 36;
    plan.rows = 7;
    const SketchShape shape = plan.shape();
    Normaliser normaliser(level_);
    Shingler shingler(plan.shingle, plan.sketch.seed, level_);
    Sketcher sketcher(plan, std::make_shared<const SketchKeys>(make_sketch_keys(plan)), level_);
    TextBatch normalised;
    std::string text;
    std::vector<std::uint64_t> sketch(shape.sketch_words()), one_bit(shape.one_bit_words()),
        buckets(shape.bands);
    std::uint32_t distinct = 0;
    print(stage, plan.sketch.size, time_calls(options_, [&] {
            normalised.clear();
            for (std::size_t i = 0; i < documents_.size(); ++i) {
              const std::string_view raw = documents_.text(i);
              const auto result = normaliser.normalise(raw, 4 * raw.size(), text);
              normalised.push({text.data(), result.bytes});
              sketcher.sketch(shingler.elements(normalised.text(i)), 0,
                              {sketch.data(), one_bit.data(), buckets.data(), &distinct});
            }
          }));
    keep(buckets.back());
  }

 private:
  static void keep(std::uint64_t sum) { asm volatile("" : : "r"(sum)); }

  void print(const char* stage, std::uint32_t size, const Timing& timing) const {
    Row()
        .text("stage", stage)
        .text("simd", name(level_))
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
  const SketchBench bench(options, level, length, make_documents(length));
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
  bench.raw_to_row("raw_to_row");
  SketchBench(options, level, length, repeat_start(make_documents(length), 1))
      .raw_to_row("raw_to_row_one_word");
  SketchBench(options, level, length, repeat_start(make_documents(length), 250))
      .raw_to_row("raw_to_row_few_words");
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
    bench::SketchBench(options, level, 875, bench::make_chinese_pages())
        .raw_to_row("raw_to_row_chinese");
  }
  return 0;
}
