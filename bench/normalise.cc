// MB/s of raw text through the normaliser, by kind of text and SIMD level. The texts are generated
// from a fixed seed: words of the script with the usual spaces and marks.
#include "pipeline/text/normalise.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/cpu/simd_level.h"
#include "gpu/options.h"
#include "pipeline/base/utf8.h"

namespace neardup {
namespace {

constexpr std::size_t kTextBytes = std::size_t{1} << 20;
using Random = std::mt19937;

// Appends one word and what follows it.
using AddWord = void (*)(Random& random, std::string& text);

void add(char32_t c, std::string& text) {
  char bytes[4];
  text.append(bytes, put_code_point(c, bytes));
}

void add_one_of(char32_t first, unsigned count, Random& random, std::string& text) {
  add(first + static_cast<char32_t>(random() % count), text);
}

void add_letters(Random& random, std::string& text) {
  for (auto n = 2 + random() % 8; n > 0; --n) text += static_cast<char>('a' + random() % 26);
}

void add_english(Random& random, std::string& text) {
  const auto start = text.size();
  add_letters(random, text);
  const auto kind = random() % 16;
  if (kind < 2) text[start] = static_cast<char>(text[start] - 0x20);
  text += kind < 1 ? ".\n" : kind < 3 ? ", " : " ";
}

void add_french(Random& random, std::string& text) {
  add_letters(random, text);
  if (random() % 4 == 0) add(U"éèàçê"[random() % 5], text);
  text += random() % 16 == 0 ? "’" : " ";
}

void add_russian(Random& random, std::string& text) {
  add_one_of(U'А', 32, random, text);
  for (auto n = 2 + random() % 8; n > 0; --n) add_one_of(U'а', 32, random, text);
  text += ' ';
}

void add_chinese(Random& random, std::string& text) {
  for (auto n = 4 + random() % 16; n > 0; --n) add_one_of(0x4E00, 5000, random, text);
  add(random() % 4 == 0 ? U'。' : U'，', text);
}

void add_korean(Random& random, std::string& text) {
  for (auto n = 2 + random() % 4; n > 0; --n) add_one_of(0xAC00, 11172, random, text);
  text += ' ';
}

void add_thai(Random& random, std::string& text) {
  for (auto n = 10 + random() % 20; n > 0; --n) {
    add_one_of(0x0E01, 46, random, text);
    if (random() % 3 == 0) add_one_of(0x0E34, 6, random, text);
    if (random() % 5 == 0) add_one_of(0x0E48, 4, random, text);
  }
  text += ' ';
}

void add_hindi(Random& random, std::string& text) {
  for (auto n = 2 + random() % 4; n > 0; --n) {
    add_one_of(0x0915, 37, random, text);
    if (random() % 2 == 0) add_one_of(0x093E, 15, random, text);
  }
  text += ' ';
}

void add_decomposed(Random& random, std::string& text) {
  add_letters(random, text);
  text += "e\u0301 ";
}

// Only marks, of two classes in turn: a worst case that no real text has.
void add_marks(Random& random, std::string& text) {
  for (int i = 0; i < 40; ++i) add(i % 2 == 0 ? 0x300U : 0x316U, text);
  if (random() % 16 == 0) text += ' ';
}

// Letters with one accent composed, another behind it.
void add_half_composed(Random& random, std::string& text) {
  for (auto n = 2 + random() % 8; n > 0; --n) {
    add(U"êôâăơư"[random() % 6], text);
    add(random() % 2 == 0 ? 0x323U : 0x301U, text);
  }
  text += ' ';
}

void add_decomposed_kana(Random& random, std::string& text) {
  for (auto n = 4 + random() % 16; n > 0; --n) {
    add_one_of(0x304B, 20, random, text);
    if (random() % 3 == 0) add(0x3099, text);
  }
  add(U'。', text);
}

void measure(benchmark::State& state, SimdLevel level, AddWord add_word) {
  Random random(1);
  std::string text;
  while (text.size() < kTextBytes) add_word(random, text);
  Normaliser normaliser(level);
  std::string out;
  for (auto _ : state) {
    NormalisedText result = normaliser.normalise(text, 4 * text.size(), out);
    benchmark::DoNotOptimize(result);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

struct Kind {
  const char* name;
  AddWord add_word;
};
constexpr Kind kKinds[] = {{"english", add_english},
                           {"french", add_french},
                           {"russian", add_russian},
                           {"chinese", add_chinese},
                           {"korean", add_korean},
                           {"thai", add_thai},
                           {"hindi", add_hindi},
                           {"decomposed", add_decomposed},
                           {"decomposed_kana", add_decomposed_kana},
                           {"half_composed", add_half_composed},
                           {"marks", add_marks}};

void register_all() {
  for (SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (!has_simd(level)) continue;
    for (const Kind& kind : kKinds) {
      const std::string name = std::string(kind.name) + "/" + std::string(neardup::name(level));
      benchmark::RegisterBenchmark(name.c_str(), measure, level, kind.add_word);
    }
  }
}

// One JSON object a row.
class RowReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      std::printf("{\"name\":\"%s\",\"mb_per_second\":%.0f}\n", run.benchmark_name().c_str(),
                  run.counters.at("bytes_per_second") / 1e6);
    }
  }
};

}  // namespace
}  // namespace neardup

// Beside the options of Google Benchmark: --json, one object a row.
int main(int argc, char** argv) {
  const auto json = std::remove(argv + 1, argv + argc, std::string_view("--json"));
  const bool rows = json != argv + argc;
  argc = static_cast<int>(json - argv);
  neardup::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  neardup::RowReporter reporter;
  benchmark::RunSpecifiedBenchmarks(rows ? &reporter : nullptr);
  return 0;
}
