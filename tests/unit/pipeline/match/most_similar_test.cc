// Whichever way sketches are reached, in rows, in the batch or in memory, the original is the
// one that the rule names: a plain count over all documents says which.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "pipeline/resolve.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint32_t kNeed = 13;  // of 16 values, small_rule's threshold
constexpr std::size_t kDocuments = 4000;
constexpr std::uint32_t kBands = 4;

struct Way {
  std::string name;
  std::uint64_t sketch_bytes;
  bool one_bit;
  std::size_t batch;
  std::size_t chunk;
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

// Clusters around few values, and some documents twice: buckets of all sizes below the cap.
std::vector<std::string> make_values() {
  std::mt19937 random(7);
  std::vector<std::string> made;
  for (std::size_t i = 0; i < kDocuments; ++i) {
    if (i % 11 == 10) {
      made.push_back(made[random() % i]);
      continue;
    }
    std::string values(kValues, ' ');
    const std::uint64_t cluster = random() % 97;
    for (std::uint32_t v = 0; v < kValues; ++v)
      values[v] = static_cast<char>('!' + (cluster * 31 + v * 7) % 90);
    for (std::uint64_t edit = random() % 6; edit > 0; --edit)
      values[random() % kValues] = static_cast<char>('!' + random() % 90);
    made.push_back(values);
  }
  return made;
}

bool share_a_band(const std::string& a, const std::string& b) {
  constexpr std::size_t kRows = kValues / kBands;
  for (std::size_t at = 0; at < kValues; at += kRows) {
    if (a.compare(at, kRows, b, at, kRows) == 0) return true;
  }
  return false;
}

std::uint32_t equal(const std::string& a, const std::string& b) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < kValues; ++i) count += a[i] == b[i] ? 1 : 0;
  return count;
}

// Against all: the most similar earlier document, of equals the oldest; 0: none.
std::vector<Seq> originals_by_rule(const std::vector<std::string>& values) {
  std::vector<Seq> originals;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Seq best = 0;
    std::uint32_t most = kNeed - 1;
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint32_t count = equal(values[i], values[j]);
      if (count <= most || !share_a_band(values[i], values[j])) continue;
      most = count;
      best = j + 1;
    }
    originals.push_back(best);
  }
  return originals;
}

class MostSimilar : public testing::TestWithParam<Way> {};

TEST_P(MostSimilar, IsTheOriginal) {
  const std::vector<std::string> values = make_values();
  Rule rule = small_rule();
  rule.decision.against = Against::kAll;
  rule.bucket_cap = kDocuments;
  const std::unique_ptr<Store> store = open_memory_store({}, OpenMode::kReadWrite);
  const FilterOptions filter{.one_bit = GetParam().one_bit,
                             .sketch_bytes = GetParam().sketch_bytes};
  Resolver resolver(rule, filter, CpuOptions{}, KeepTexts::kNone, *store);
  BatchMaker maker(rule);
  std::vector<Flag> flags;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // The text is of its own: contents shall not decide.
    maker.document(std::to_string(i), values[i], "text " + std::to_string(i));
    const bool last = i + 1 == values.size();
    if ((i + 1) % GetParam().chunk == 0 || last) resolver.resolve(maker.take(), flags);
    if ((i + 1) % GetParam().batch != 0 && !last) continue;
    commit_batch(resolver, *store);
  }
  std::vector<Seq> found;
  for (const Flag& flag : flags) found.push_back(flag.original ? flag.original->seq : 0);
  const std::vector<Seq> wanted = originals_by_rule(values);
  EXPECT_GT(std::count_if(wanted.begin(), wanted.end(), [](Seq seq) { return seq != 0; }), 1000);
  EXPECT_EQ(found, wanted);
}

INSTANTIATE_TEST_SUITE_P(All, MostSimilar,
                         testing::Values(Way{"all_at_hand", 1 << 24, true, 512, 64},
                                         Way{"a_few_at_hand", 0, true, 512, 64},
                                         Way{"one_batch", 1 << 24, true, kDocuments, 64},
                                         Way{"each_document_a_batch", 1 << 24, true, 1, 1},
                                         Way{"without_1_bit_sketches", 1 << 24, false, 512, 64},
                                         Way{"a_few_at_hand_without_1_bit_sketches", 0, false, 512,
                                             256}),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace neardup::TEST_FILE
