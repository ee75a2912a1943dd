#include "pipeline/prepare.h"

#include <fmt/core.h>

#include "pipeline/base/utf8.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMostExpansion = 4;  // of a text by normalisation

// The row of the text that was pushed last.
void add_row(SketchedBatch& batch, const Hash128& content, std::uint32_t tokens,
             std::string_view text) {
  batch.content.push_back(content);
  batch.tokens.push_back(tokens);
  batch.text_bytes.push_back(static_cast<std::uint32_t>(text.size()));
}

void clear(SketchedBatch& batch, std::size_t records) {
  batch.records.clear();
  batch.records.reserve(records);
  batch.content.clear();
  batch.tokens.clear();
  batch.text_bytes.clear();
  batch.has_sketch.clear();
  batch.texts.clear();
  batch.raw_texts.clear();
  batch.input_bytes = 0;
}

}  // namespace

std::uint64_t most_normalised_bytes(const TextOptions& options) {
  return kMostExpansion * options.max_bytes;
}

std::uint32_t count_units(const NormalisedText& result, std::string_view text,
                          const ShingleOptions& options) {
  if (options.unit == ShingleUnit::kWord) return result.tokens;
  return static_cast<std::uint32_t>(count_code_points(text));
}

Preparer::Preparer(const Rule& rule, SimdLevel simd, std::unique_ptr<Decoder> decoder,
                   Backend& backend, bool keeps_raw_texts)
    : rule_(rule),
      hasher_(rule.plan.sketch.seed),
      normaliser_(simd, rule.text.fold),
      decoder_(std::move(decoder)),
      backend_(backend),
      keeps_raw_texts_(keeps_raw_texts),
      namespace_hash_(rule.plan.sketch.seed) {}

PrepareTimes Preparer::prepare(const RawChunk& chunk, SketchedBatch& batch) {
  PrepareTimes times;
  StageClock clock;
  TurnsClock turns;
  clear(batch, chunk.records.size());
  tasks_.clear();
  for (std::size_t i = 0; i < chunk.records.size(); ++i) {
    std::string_view text;
    turns.begin(i);
    Record record = decoder_->decode(chunk.records[i], text);
    turns.between();
    if (record.kind == RecordKind::kDocument) {
      add_document(record, text, batch);
    } else {
      batch.texts.push({});
      add_row(batch, {}, 0, {});
    }
    note_time(record);
    if (keeps_raw_texts_) {
      batch.raw_texts.push(record.kind == RecordKind::kDocument ? text : std::string_view{});
    }
    batch.records.push_back(std::move(record));
    turns.end();
  }
  clock.lap(times.normalise);
  times.decode = turns.first_of(times.normalise);
  times.normalise -= times.decode;
  sketch(batch);
  clock.lap(times.sketch);
  return times;
}

// A document without a time is as old as stream time when it comes. That is worth a notice only
// where age decides what is forgotten.
void Preparer::note_time(Record& record) const {
  if (rule_.retention.max_age_ms == 0 || record.kind != RecordKind::kDocument) {
    record.notices.remove(NoticeKind::kUnreadTime);
  } else if (!record.ts_ms) {
    record.notices.add(NoticeKind::kUnreadTime);
  }
}

void Preparer::add_document(Record& record, std::string_view raw, SketchedBatch& batch) {
  const std::uint64_t limit = most_normalised_bytes(rule_.text);
  NormalisedText result;
  const std::string_view text =
      batch.texts.push_written([&](std::string& buffer, std::size_t begin) {
        result = normaliser_.normalise(raw, limit, buffer, begin);
        return result.bytes;
      });
  batch.input_bytes += raw.size();
  if (result.too_large) {
    record.kind = RecordKind::kRejected;
    record.text_bytes = 0;
    record.reason = RejectReason::kTextTooLarge;
    record.detail = fmt::format(
        "the text grows above {} bytes by normalisation; raise text.max_bytes or split it", limit);
    add_row(batch, {}, 0, {});
    return;
  }
  const std::uint32_t units = count_units(result, text, rule_.plan.shingle);
  if (units > 0 && units >= rule_.text.min_tokens) {
    tasks_.push_back(
        {static_cast<std::uint32_t>(batch.texts.size() - 1), namespace_hash_(record.name_space)});
  }
  add_row(batch, hasher_.hash(text), units, text);
}

void Preparer::sketch(SketchedBatch& batch) {
  batch.rows.reset(rule_.plan.shape(), batch.size());
  batch.has_sketch.assign(batch.size(), 0);
  for (const SketchTask& task : tasks_) batch.has_sketch[task.text] = 1;
  backend_.sketch(batch.texts, tasks_, batch.rows);
}

}  // namespace neardup
