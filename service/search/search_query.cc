#include "service/search/search_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gpu/cpu/sketcher.h"
#include "service/state/stored_version.h"

namespace neardup {
namespace {

std::string unknown_id(const IdKey& key) {
  return fmt::format(
      "{}: the state has no such id{}", key.id,
      key.name_space.empty() ? " in the empty namespace" : " in namespace " + key.name_space);
}

std::optional<DocumentRow> document(Seq seq, const SketchView& view) {
  std::vector<std::optional<DocumentRow>> rows;
  view.documents({&seq, 1}, rows);
  return std::move(rows.front());
}

std::string without_sketch(const std::string& id, const IdRow& row, const SketchView& view) {
  if (row.has_document || row.kept) {
    return fmt::format(
        "{}: is too short for a sketch (text.min_tokens), so nothing is known to be similar to it",
        id);
  }
  const std::optional<DocumentRow> original = document(row.original, view);
  return fmt::format(
      "{}: was flagged as a copy of {} (seq {}), and its sketch is not kept; ask for that id, or "
      "for the text",
      id, original ? original->id : kDeletedDocument, row.original);
}

std::string too_short(std::uint32_t units, const Rule& rule) {
  const char* unit = rule.plan.shingle.unit == ShingleUnit::kWord ? "tokens" : "code points";
  return fmt::format("the text has {} {}, and fewer than {} (text.min_tokens) have no sketch",
                     units, unit, std::max(rule.text.min_tokens, 1u));
}

}  // namespace

SimilarQuery SearchQuery::view() const {
  return {{name_space, sketch.data(), one_bit.data(), distinct_shingles, {}}, except};
}

QueryOrError query_of_id(const IdKey& key, const std::optional<IdRow>& row, const SketchView& view,
                         const SketchPlan& plan) {
  if (!row) return {{}, unknown_id(key)};
  auto stored = row->has_document ? document(row->seq, view) : std::nullopt;
  if (row->has_document && !stored) return {{}, unknown_id(key)};  // it has ended meanwhile
  if (!stored || stored->sketch.empty()) return {{}, without_sketch(key.id, *row, view)};
  SearchQuery query{
      key.name_space, std::move(stored->sketch), {}, stored->distinct_shingles, stored->seq};
  query.one_bit.resize(plan.shape().one_bit_words());
  pack_one_bit(plan, query.sketch.data(), query.one_bit.data());
  return {std::move(query), {}};
}

QueryOrError query_of_record(const SketchedBatch& batch, std::size_t i,
                             const std::string& name_space, const Rule& rule) {
  const Record& record = batch.records[i];
  if (record.kind == RecordKind::kRejected) return {{}, record.detail};
  if (record.kind == RecordKind::kDelete) {
    return {{}, "the line deletes a document: give it a text or an id alone to ask about"};
  }
  if (batch.has_sketch[i] == 0) return {{}, too_short(batch.tokens[i], rule)};
  const SketchShape& shape = batch.rows.shape;
  const auto copy = [](const std::uint64_t* words, std::uint32_t count) {
    return std::vector<std::uint64_t>(words, words + count);
  };
  return {SearchQuery{name_space, copy(batch.rows.sketch(i), shape.sketch_words()),
                      copy(batch.rows.one_bit(i), shape.one_bit_words()),
                      batch.rows.distinct_shingles[i], 0},
          {}};
}

}  // namespace neardup
