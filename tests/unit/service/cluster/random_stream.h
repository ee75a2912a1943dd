// Random rules, and random records for them: few topics, so that many are similar, with deletes,
// versions, mistakes, empty and short texts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpu/backends.h"
#include "pipeline/prepare.h"
#include "pipeline/rule/rule.h"
#include "service/records/record_decoder.h"
#include "tests/unit/service/cluster/raw_chunk.h"

namespace neardup {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}

  // 0 … n − 1.
  std::size_t below(std::size_t n) { return random_() % n; }
  bool chance(double probability) {
    return std::uniform_real_distribution<>(0, 1)(random_) < probability;
  }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *std::next(values.begin(), static_cast<std::ptrdiff_t>(below(values.size())));
  }

 private:
  std::mt19937 random_;
};

inline Rule random_rule(Dice& dice) {
  Rule rule;
  rule.text.min_tokens = 2;
  rule.plan.shingle.size = 1;
  rule.plan.sketch.size = 16;
  rule.plan.sketch.bits = dice.one_of({4u, 8u});
  rule.plan.bands = 8;
  rule.plan.rows = 2;
  if (dice.chance(0.3)) {
    rule.plan.sketch.family = SketchFamily::kMinhash;
    rule.plan.sketch.hash = MinhashHash::kPermutation;
    rule.plan.sketch.universe = 1 << 12;
  }
  rule.bucket_cap = dice.one_of({1u, 2u, 3u, 8u});
  rule.decision.threshold = dice.one_of({400'000u, 500'000u, 700'000u});
  rule.decision.against = dice.chance(0.35) ? Against::kAll : Against::kKept;
  rule.decision.verify = dice.one_of(
      {VerifyMode::kSketch, VerifyMode::kSketch, VerifyMode::kNone, VerifyMode::kExact});
  rule.retention.max_documents = dice.one_of({0, 0, 0, 15, 40});
  rule.retention.max_age_ms = dice.one_of({0, 0, 0, 20'000, 60'000});
  rule.retention.max_step_ms = dice.one_of({5'000, 30'000});
  rule.retention.max_bytes = dice.one_of({0, 0, 0, 300, 1'000});
  return rule;
}

// Records as JSON Lines.
class RandomLines {
 public:
  explicit RandomLines(Dice& dice, std::size_t count) : dice_(dice), ids_(count / 2) {
    for (std::size_t topics = 2 + dice_.below(4); topics > 0; --topics) {
      for (std::vector<std::size_t>& words = topics_.emplace_back(); words.size() < 3 + topics % 5;)
        words.push_back(dice_.below(40));
    }
    if (dice_.chance(0.4)) topics_.insert(topics_.end(), 6, topics_.front());
  }

  std::string next() {
    ts_ += dice_.one_of({0, 0, 1, 2, -1}) + (dice_.chance(0.01) ? 200 : 0);
    if (dice_.chance(0.03)) return R"({"id":7,"text":"an id that is not a string"})";
    const std::string head =
        fmt::format(R"({{"id":"i{}","namespace":"{}","ts":{},)", dice_.below(ids_),
                    dice_.chance(0.25) ? "ns" : "", 1000 * ts_);
    if (dice_.chance(0.07)) return head + R"("delete":true})";
    return head + fmt::format(R"("text":"{}"}})", text());
  }

 private:
  std::string text() {
    if (dice_.chance(0.03)) return "";
    if (dice_.chance(0.05)) return fmt::format("w{}", dice_.below(3));
    std::vector<std::size_t> words = topics_[dice_.below(topics_.size())];
    for (int edits = dice_.one_of({0, 0, 1, 1, 2}); edits > 0; --edits)
      words[dice_.below(words.size())] = dice_.below(40);
    std::string text;
    for (const std::size_t word : words) text += fmt::format("w{} ", word);
    return text;
  }

  Dice& dice_;
  std::size_t ids_;
  std::vector<std::vector<std::size_t>> topics_;
  std::int64_t ts_ = 1'700'000'000;
};

// The same, sketched, as runs of a few records.
inline std::vector<std::unique_ptr<SketchedBatch>> random_batches(const Rule& rule, Dice& dice,
                                                                  std::size_t count) {
  const auto backend = make_backend({BackendName::kCpu, {.threads = 1}, {}}, rule.plan);
  Preparer preparer(rule, SimdLevel::kAuto,
                    std::make_unique<RecordDecoder>(InputOptions(), rule.text, OutputOptions()),
                    *backend);
  RandomLines lines(dice, count);
  std::vector<std::unique_ptr<SketchedBatch>> batches;
  for (std::size_t done = 0; done < count; done += batches.back()->size()) {
    std::vector<std::string> some(std::min(1 + dice.below(8), count - done));
    std::ranges::generate(some, [&] { return lines.next(); });
    batches.push_back(std::make_unique<SketchedBatch>());
    preparer.prepare(raw_chunk(some, {0, done}), *batches.back());
  }
  return batches;
}

}  // namespace neardup
