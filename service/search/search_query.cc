#include "service/search/search_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "gpu/cpu/sketcher.h"
#include "pipeline/model/text_batch.h"
#include "service/records/record_checks.h"
#include "service/state/stored_version.h"

namespace neardup {
namespace {

constexpr std::string_view kNoId = "query";  // the id of a text without one

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
      "{}: was flagged as a copy of {} (seq {}), and its sketch is not stored; search for that id, "
      "or for the text",
      id, original ? original->id : kDeletedDocument, row.original);
}

std::string too_short(std::uint32_t units, const Rule& rule) {
  const char* unit = rule.plan.shingle.unit == ShingleUnit::kWord ? "tokens" : "code points";
  return fmt::format("the text has {} {}, and fewer than {} (text.min_tokens) have no sketch",
                     units, unit, std::max(rule.text.min_tokens, 1u));
}

}  // namespace

Record QueryDecoder::decode(const RawRecord& raw, std::string_view& text) {
  Record record = decoder_.decode(raw, text);
  if (record.reason != RejectReason::kMissingId) return record;
  RawRecord with_id = raw;
  with_id.key = kNoId;
  record = decoder_.decode(with_id, text);
  if (record.reason == RejectReason::kMissingText) {
    record.has_id = false;
    record.detail = "the line has neither a text nor an id: add one of them";
  }
  return record;
}

Record TextDecoder::decode(const RawRecord& raw, std::string_view& text) {
  Record record;
  record.source = raw.source;
  record.has_id = true;
  record.id = kNoId;
  take_text("the text", replace_invalid(raw.bytes, cleaned_, record), options_, record, text);
  return record;
}

RawChunk text_chunk(const std::string& text) {
  RawChunk chunk;
  chunk.buffer = text + std::string(kTextPadding, '\0');
  chunk.records.push_back(
      {.bytes = std::string_view(chunk.buffer).substr(0, text.size()), .source = {}});
  return chunk;
}

RawChunk lines_chunk(const std::string& lines) {
  RawChunk chunk;
  chunk.buffer = lines + std::string(kTextPadding, '\0');
  const std::string_view all = std::string_view(chunk.buffer).substr(0, lines.size());
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    if (end != begin) {
      chunk.records.push_back({.bytes = all.substr(begin, end - begin), .source = {}});
    }
    begin = end + 1;
  }
  return chunk;
}

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
    return {{}, "the line is a delete: a query needs a text or only an id"};
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
