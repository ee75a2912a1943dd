#include "service/report/state_size.h"

#include <algorithm>
#include <cmath>

#include "pipeline/rule/bands.h"
#include "storage/format.h"
#include "storage/index/posting_table.h"
#include "storage/memory_plan.h"

namespace neardup {
namespace {

// As measured (bench/results/state_size.md). On disk: bytes per encoded byte, and the share of
// block indexes. In the memory store: bytes per posting, and per encoded byte of the rest.
constexpr double kDocsFactor = 1.033;
constexpr double kIdsFactor = 1.110;
constexpr double kCopiesFactor = 1.646;
constexpr double kIndexFactor = 1.339;  // a quarter of it is filters
constexpr double kBlockIndexShare = 0.0045;
constexpr double kMemoryStorePosting = 119;
constexpr double kMemoryStoreFactor = 2.5;

// Its numbers have the encoded width that is typical of a large state.
DocumentRow typical_row(const Rule& rule, const TypicalDocument& document) {
  constexpr std::uint32_t kBytesPerToken = 7;
  const SketchShape shape = rule.plan.shape();
  DocumentRow row;
  row.id.assign(document.id_bytes, 'i');
  row.tokens = document.text_bytes / kBytesPerToken;
  row.distinct_shingles = is_permutation(rule.plan.sketch) ? row.tokens : 0;
  row.text_bytes = document.text_bytes;
  row.sketch.resize(shape.sketch_words());
  return row;
}

constexpr double kPostingBytes = 8;

// Costs of the index alone, including background work, from runs of build/bench/index with 20 bands
// and several sizes of memory on one core of an AMD EPYC (bench/results/state_size.md).
constexpr double kPostingSeconds = 0.26e-6;  // looked up, kept and flushed
constexpr double kMergedSeconds = 0.15e-6;   // merged once
constexpr double kWastedPageSeconds = 2e-6;  // read from the system's page cache

constexpr double kMergedAtOnce = 8;

// On average a level holds half of the generations that trigger its merge.
double generations(double levels) { return 1 + kMergedAtOnce / 2 * levels; }

}  // namespace

DocumentBytes encoded_bytes(const Rule& rule, bool keep_texts, const TypicalDocument& document) {
  constexpr double kWordBytes = 8;
  const DocumentRow row = typical_row(rule, document);
  DocumentBytes bytes;
  bytes.sketch = kWordBytes * static_cast<double>(row.sketch.size());
  bytes.one_bit = kWordBytes * rule.plan.shape().one_bit_words();
  bytes.row = static_cast<double>(kSeqBytes + encode_document(row).size()) - bytes.sketch;
  bytes.id = bytes.one_bit + kPostingBytes +
             static_cast<double>(kSeqBytes + encode_id({"", row.id}, {}).size());
  bytes.copy = sizeof(CopyKey);
  bytes.postings = postings_of(rule.plan.bands) * kPostingBytes;
  if (keep_texts) bytes.text = kSeqBytes + kTextFactor * document.text_bytes;
  return bytes;
}

DocumentBytes disk_bytes(const DocumentBytes& encoded) {
  DocumentBytes bytes = encoded;
  for (double* part : {&bytes.sketch, &bytes.row, &bytes.text}) *part *= kDocsFactor;
  bytes.id += (kIdsFactor - 1) * (encoded.id - encoded.one_bit - kPostingBytes) +
              (kIndexFactor - 1) * kPostingBytes;
  bytes.copy *= kCopiesFactor;
  bytes.postings *= kIndexFactor;
  return bytes;
}

HotBytes hot_bytes(const Rule& rule, const DocumentBytes& on_disk) {
  return {.filters = kMostFilterBits / 8.0 * postings_of(rule.plan.bands),
          .one_bit = on_disk.one_bit,
          .block_indexes = kBlockIndexShare * (on_disk.total() - on_disk.text)};
}

double memory_store_bytes(const DocumentBytes& encoded, const TypicalDocument& document) {
  // Not compressed there.
  const double text = encoded.text > 0 ? kRawFactor * document.text_bytes : 0;
  return kMemoryStorePosting * encoded.postings / kPostingBytes +
         kMemoryStoreFactor * (encoded.total() - encoded.postings - encoded.text) + text;
}

// Of a blocked Bloom filter (storage/generation/filter.h). The number of other hashes in the line
// of a hash is Poisson distributed; each sets one bit in each of the eight words of the line.
double false_positive_chance(double bits) {
  constexpr double kLineBits = 512;
  constexpr double kWords = 8;
  constexpr int kMost = 1024;
  const double mean = kLineBits / bits;
  double likely = std::exp(-mean);
  double chance = 0;
  for (int others = 1; others < kMost; ++others) {
    likely *= mean / others;
    chance += likely * std::pow(1 - std::pow(1 - kWords / kLineBits, others), kWords);
  }
  return chance;
}

MemoryShare share_memory(const IndexLoad& load, std::uint64_t storage_memory) {
  const MemoryPlan plan = plan_memory(storage_memory);
  const std::uint32_t columns = postings_of(load.bands);
  const double postings = load.documents * columns;
  const double bits = 8 * static_cast<double>(plan.filters) / postings;
  MemoryShare share;
  share.filter_bits = std::clamp<double>(bits, kLeastFilterBits, kMostFilterBits);
  share.filtered = std::min(1.0, bits / kLeastFilterBits);
  const double filters = share.filtered * share.filter_bits / 8 * postings;
  const double left = static_cast<double>(plan.lookup) - filters;
  share.one_bit_share =
      load.one_bit_bytes > 0 ? std::min(1.0, left / (load.one_bit_bytes * load.documents)) : 1;
  share.all_fits = share.filter_bits == kMostFilterBits && share.one_bit_share == 1;

  const auto flushed = static_cast<double>(PostingTable::most_postings(plan.memtable / columns));
  const double levels = std::max(0.0, std::log(load.documents / flushed) / std::log(kMergedAtOnce));
  share.wasted_pages =
      columns * generations(levels) *
      (share.filtered * false_positive_chance(share.filter_bits) + (1 - share.filtered));
  share.documents_per_cpu_second = 1 / (columns * (kPostingSeconds + levels * kMergedSeconds) +
                                        share.wasted_pages * kWastedPageSeconds);
  return share;
}

}  // namespace neardup
