#include "service/state/side.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gpu/cpu/cpu_backend.h"
#include "gpu/keys.h"
#include "pipeline/core/failure.h"
#include "pipeline/prepare.h"
#include "pipeline/text/content_hash.h"
#include "pipeline/text/normalise.h"
#include "pipeline/text/utf8.h"
#include "service/state/stored_version.h"

namespace neardup {
namespace {

std::uint32_t units_of(std::string_view normalised, const ShingleOptions& options) {
  if (normalised.empty()) return 0;
  NormalisedText result;
  result.tokens = 1 + static_cast<std::uint32_t>(std::ranges::count(normalised, ' '));
  return count_units(result, normalised, options);
}

}  // namespace

std::optional<Side> side_of_text(std::string name, std::string_view raw, const Rule& rule) {
  Side side{.name = std::move(name)};
  replace_invalid_utf8(raw, side.raw.emplace());
  std::string& text = side.text.emplace();
  if (side.raw->size() > rule.text.max_bytes) return {};
  const NormalisedText result =
      Normaliser().normalise(*side.raw, most_normalised_bytes(rule.text), text);
  if (result.too_large) return {};
  text.resize(result.bytes);
  side.content = ContentHasher(rule.plan.sketch.seed).hash(text);
  return side;
}

Side side_of_id(const std::string& id, const std::string& name_space, Store& store) {
  const auto version = stored_version({name_space, id}, store);
  if (!version) throw Failure(Exit::kUsage, fmt::format("{}: the state has no such id", id));
  const IdRow& row = version->id;
  if (row.kept && !version->document)
    throw Failure(Exit::kUsage, fmt::format("{}: has no tokens", id));
  Side side{.name = id, .text = store.text(row.seq), .content = row.content};
  if (!row.kept) side.flagged = {original_id(row, store), row.original, row.similarity};
  if (version->document) {
    side.tokens = version->document->tokens;
    side.distinct_shingles = version->document->distinct_shingles;
    side.sketch = version->document->sketch;
  }
  return side;
}

void add_sketch(Side& side, const Rule& rule, SimdLevel simd) {
  if (!side.text || !side.sketch.empty()) return;
  side.tokens = units_of(*side.text, rule.plan.shingle);
  if (side.text->empty()) return;
  TextBatch texts;
  texts.push(*side.text);
  SketchRows rows(rule.plan.shape(), 1);
  const SketchTask task{0, hash_namespace(rule.plan.sketch.seed, "")};
  make_cpu_backend({.threads = 1, .simd = simd}, rule.plan)->sketch(texts, {&task, 1}, rows);
  side.sketch = rows.sketches;
  side.distinct_shingles = rows.distinct_shingles.front();
}

}  // namespace neardup
