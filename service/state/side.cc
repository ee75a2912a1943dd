#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "gpu/cpu/cpu_backend.h"
#include "gpu/keys.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/utf8.h"
#include "pipeline/prepare.h"
#include "pipeline/text/content_hash.h"
#include "pipeline/text/normalise.h"
#include "service/state/comparison.h"
#include "service/state/stored_version.h"

namespace neardup {
namespace {

constexpr auto kNoLimit = std::numeric_limits<std::size_t>::max();

std::uint32_t units_of(std::string_view normalised, const ShingleOptions& options) {
  if (normalised.empty()) return 0;
  NormalisedText result;
  result.tokens = 1 + static_cast<std::uint32_t>(std::ranges::count(normalised, ' '));
  return count_units(result, normalised, options);
}

// False: the normalised text would be larger than `limit`.
bool normalise(Side& side, std::size_t limit, SimdLevel simd, TextFold fold) {
  std::string& text = side.text.emplace();
  const NormalisedText result = Normaliser(simd, fold).normalise(*side.raw, limit, text);
  text.resize(result.bytes);
  return !result.too_large;
}

}  // namespace

std::optional<Side> side_of_text(std::string name, std::string_view raw, const Rule& rule) {
  Side side{.name = std::move(name)};
  replace_invalid_utf8(raw, side.raw.emplace());
  if (side.raw->size() > rule.text.max_bytes) return {};
  if (!normalise(side, most_normalised_bytes(rule.text), SimdLevel::kAuto, rule.text.fold))
    return {};
  side.content = ContentHasher(rule.plan.sketch.seed).hash(*side.text);
  return side;
}

Side side_of_id(const std::string& id, const std::string& name_space, Store& store) {
  const auto version = stored_version({name_space, id}, store);
  if (!version) throw Failure(Exit::kUsage, fmt::format("{}: the state has no such id", id));
  const IdRow& row = version->id;
  if (row.kept && !version->document)
    throw Failure(Exit::kUsage, fmt::format("{}: has no tokens", id));
  Side side{.name = id, .raw = store.text(row.seq), .content = row.content};
  if (!row.kept) side.flagged = {original_id(row, store), row.original, row.similarity};
  if (version->document) {
    side.tokens = version->document->tokens;
    side.distinct_shingles = version->document->distinct_shingles;
    side.sketch = version->document->sketch;
  }
  return side;
}

void complete(Side& side, const Rule& rule, SimdLevel simd) {
  if (!side.raw) return;
  if (!side.text) normalise(side, kNoLimit, simd, rule.text.fold);
  if (!side.sketch.empty()) return;
  side.tokens = units_of(*side.text, rule.plan.shingle);
  if (side.text->empty() || rule.unknown_seed) return;
  TextBatch texts;
  texts.push(*side.text);
  SketchRows rows(rule.plan.shape(), 1);
  const SketchTask task{0, hash_namespace(rule.plan.sketch.seed, "")};
  make_cpu_backend({.threads = 1, .simd = simd}, rule.plan)->sketch(texts, {&task, 1}, rows);
  side.sketch = rows.sketches;
  side.distinct_shingles = rows.distinct_shingles.front();
}

}  // namespace neardup
