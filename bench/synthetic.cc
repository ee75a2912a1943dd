#include "bench/synthetic.h"

#include <fmt/format.h>

#include <cmath>

#include "gpu/cpu/sketcher.h"
#include "gpu/hd/arithmetic.h"
#include "gpu/keys.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kRows = 6;
constexpr std::uint32_t kChangesOfCopy = 26;       // at most: a similarity of about 0.9
constexpr std::uint32_t kChangesOfRelative = 177;  // some change the same value: about 0.5

// Independent random numbers of a document, one for each purpose.
enum Purpose : std::uint64_t { kKind, kBase, kId, kContent, kChanges, kSketch };

std::uint64_t random(std::uint64_t number, Purpose purpose, std::uint64_t i = 0) {
  const std::uint64_t stream = hd::mix64(number * 8 + purpose + hd::kGolden);
  return hd::mix64(stream + (i + 1) * hd::kGolden);
}

// A random number below `bound`.
std::uint64_t scaled(std::uint64_t random, std::uint64_t bound) {
  return hd::multiply_wide(random, bound).high;
}

// Of 2^64. Requires: share < 1
std::uint64_t share_of_hashes(double share) {
  return static_cast<std::uint64_t>(std::ldexp(share, 64));
}

SketchPlan make_plan(std::uint32_t bands) {
  SketchPlan plan;
  plan.bands = bands;
  plan.rows = kRows;
  return plan;
}

}  // namespace

SyntheticDocuments::SyntheticDocuments(const SyntheticOptions& options)
    : plan_(make_plan(options.bands)),
      batch_(options.batch),
      copies_below_(share_of_hashes(options.duplicates)),
      relatives_below_(share_of_hashes(options.duplicates + options.relatives)),
      keys_of_bands_(make_band_keys(plan_)),
      namespace_hash_(hash_namespace(plan_.sketch.seed, "")) {}

SyntheticDocuments::Kind SyntheticDocuments::kind(std::uint64_t number) const {
  if (number < batch_) return Kind::kDistinct;
  const std::uint64_t hash = random(number, kKind);
  if (hash < copies_below_) return Kind::kCopy;
  return hash < relatives_below_ ? Kind::kRelative : Kind::kDistinct;
}

// A document of an earlier batch, of kind `most` at most.
std::uint64_t SyntheticDocuments::base(std::uint64_t number, Kind most) const {
  const std::uint64_t earlier = number / batch_ * batch_;
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::uint64_t chosen = scaled(random(number, kBase, attempt), earlier);
    if (kind(chosen) <= most) return chosen;
  }
}

std::optional<std::uint64_t> SyntheticDocuments::original(std::uint64_t number) const {
  if (kind(number) != Kind::kCopy) return std::nullopt;
  return base(number, Kind::kRelative);
}

void SyntheticDocuments::make_sketch(std::uint64_t number, std::uint64_t* sketch) const {
  switch (kind(number)) {
    case Kind::kDistinct:
      for (std::uint32_t w = 0; w < plan_.shape().sketch_words(); ++w)
        sketch[w] = random(number, kSketch, w);
      break;
    case Kind::kRelative:
      make_sketch(base(number, Kind::kDistinct), sketch);
      change(number, kChangesOfRelative, sketch);
      break;
    case Kind::kCopy:
      make_sketch(base(number, Kind::kRelative), sketch);
      change(number, kChangesOfCopy, sketch);
      break;
  }
}

void SyntheticDocuments::change(std::uint64_t number, std::uint32_t values,
                                std::uint64_t* sketch) const {
  for (std::uint32_t i = 0; i < values; ++i) {
    const std::uint64_t change = random(number, kChanges, i);
    const std::uint64_t slot = scaled(change, plan_.sketch.size);
    sketch[slot / 8] ^= (1 + change % 255) << (slot % 8 * 8);
  }
}

void SyntheticDocuments::find_bits(const std::uint64_t* sketch, std::uint64_t* one_bit,
                                   std::uint64_t* buckets) const {
  pack_one_bit(plan_, sketch, one_bit);
  band_keys(plan_, keys_of_bands_, sketch, namespace_hash_, buckets);
}

IndexEntry SyntheticDocuments::index(const DocumentRow& row) const {
  IndexEntry entry;
  entry.one_bit.resize(plan_.shape().one_bit_words());
  entry.buckets.resize(plan_.bands);
  find_bits(row.sketch.data(), entry.one_bit.data(), entry.buckets.data());
  return entry;
}

void SyntheticDocuments::fill(std::uint64_t first, std::uint32_t count,
                              SketchedBatch& chunk) const {
  chunk.records.resize(count);
  chunk.content.resize(count);
  chunk.has_sketch.assign(count, 1);
  chunk.rows.reset(plan_.shape(), count);
  chunk.texts.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t number = first + i;
    chunk.texts.push("");
    chunk.records[i].id = fmt::format("{:016x}", random(number, kId));
    chunk.content[i] = {random(number, kContent), random(number, kContent, 1)};
    std::uint64_t* sketch = chunk.rows.sketch(i);
    make_sketch(number, sketch);
    find_bits(sketch, chunk.rows.one_bit(i), chunk.rows.buckets(i));
  }
}

}  // namespace neardup::bench
