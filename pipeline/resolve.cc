#include "pipeline/resolve.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/core/failure.h"
#include "pipeline/state_keys.h"

namespace neardup {
namespace {

IdKey key_of(const Record& record) { return {record.name_space, record.id}; }

}  // namespace

Resolver::Resolver(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                   KeepTexts keep_texts, Store& store)
    : rule_(rule),
      keep_texts_(keep_texts),
      rule_text_(rule_text(rule)),
      time_(rule.retention.max_step_ms),
      retention_(rule.retention, store, tombstones_),
      pending_(tombstones_),
      sketches_(rule.plan.shape().sketch_words(), filter.sketch_bytes),
      rows_(store, sketches_, tombstones_, filter.row_bytes),
      known_(rule, filter, cpu, store, pending_, tombstones_, sketches_, rows_),
      due_deletes_(store) {
  require_same_rule(store, rule);
  next_seq_ = static_cast<Seq>(meta_number(store, kMetaNextSeq, 1));
  time_.go_on(meta_number(store, kMetaStreamBegan, 0), meta_number(store, kMetaStreamTime, 0));
}

void Resolver::watch_quality(QualityCheck& check) {
  quality_ = &check;
  known_.watch_quality(check);
}

void Resolver::resolve(const SketchedBatch& chunk, std::vector<Flag>& flags) {
  if (next_seq_ + chunk.size() > kMaxSeq) {
    throw Failure(Exit::kConfig, "the state has used all 2^40 arrival numbers; begin a new one");
  }
  known_.prepare(chunk);
  StageClock clock;
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    flags.push_back(decide(chunk, i));
    keep(chunk, i, flags.back());
  }
  clock.lap(verify_time_);
}

bool Resolver::ends_version(const SketchedBatch& chunk, std::size_t i) {
  const RecordKind kind = chunk.records[i].kind;
  if (kind == RecordKind::kRejected) return false;
  const std::optional<IdRow> version = known_.version(i);
  if (!version) return false;
  return kind == RecordKind::kDelete || version->content != chunk.content[i];
}

bool Resolver::check(const SketchedBatch& chunk, std::size_t i, Flag& flag) {
  const Seq seq = next_seq_;
  const StreamTime time = time_;
  const Seq watermark = tombstones_.expired_before();
  flag = decide(chunk, i);
  const bool moved = time_.now_ms() != time.now_ms() && tombstones_.expired_before() != watermark;
  next_seq_ = seq;
  time_ = time;
  return !moved && !has_ended_versions_;
}

Flag Resolver::decide(const SketchedBatch& chunk, std::size_t i) {
  const Record& record = chunk.records[i];
  delete_what_is_due();
  Flag flag;
  flag.seq = next_seq_++;
  flag.has_id = record.kind != RecordKind::kRejected || record.has_id;
  flag.id = record.id;
  flag.name_space = record.name_space;
  flag.url = record.url;
  flag.text_bytes = record.text_bytes;
  flag.source = record.source;
  advance(flag.seq, record);
  switch (record.kind) {
    case RecordKind::kRejected:
      flag.status = Status::kRejected;
      flag.reason = record.reason;
      flag.detail = record.detail;
      break;
    case RecordKind::kDelete:
      decide_delete(key_of(record), known_.version(i), flag);
      break;
    case RecordKind::kDocument:
      decide_document(chunk, i, flag);
      break;
  }
  return flag;
}

void Resolver::advance(Seq seq, const Record& record) {
  if (record.kind != RecordKind::kRejected && record.ts_ms) time_.advance(*record.ts_ms);
  retention_.advance(seq, time_);
}

void Resolver::decide_delete(const IdKey& key, const std::optional<IdRow>& version, Flag& flag) {
  flag.status = Status::kDeleted;
  flag.known = version.has_value();
  if (version) delete_version(key, *version);
}

void Resolver::delete_what_is_due() {
  while (const auto key = due_deletes_.take(next_seq_)) {
    if (const auto version = known_.version(*key)) delete_version(*key, *version);
  }
}

void Resolver::decide_document(const SketchedBatch& chunk, std::size_t i, Flag& flag) {
  if (const std::optional<IdRow> version = known_.version(i)) {
    if (version->content == chunk.content[i]) {
      flag.status = Status::kUnchanged;
      if (tells_verdicts_) flag.verdict = verdict_of(key_of(chunk.records[i]), *version);
      return;
    }
    flag.previous = Previous{version->seq, known_.similarity(i, *version)};
    end_version(key_of(chunk.records[i]), *version);
  }
  flag.status = choose_status(chunk, i, flag);
}

// Stores what was decided about a document.
void Resolver::keep(const SketchedBatch& chunk, std::size_t i, const Flag& flag) {
  if (chunk.records[i].kind != RecordKind::kDocument || flag.status == Status::kUnchanged) return;
  const bool all = rule_.decision.against == Against::kAll;
  const bool has_document = flag.status != Status::kEmpty && (all || !flag.original);
  if (has_document) store_document(chunk, i, flag.seq);
  if (has_document && (flag.original || flag.previous)) wanted_again_.push_back(flag.seq);
  store_id(chunk, i, flag, has_document);
}

Status Resolver::choose_status(const SketchedBatch& chunk, std::size_t i, Flag& flag) {
  if (chunk.tokens[i] == 0) return Status::kEmpty;
  flag.original = known_.same_content(i);
  if (flag.original) return Status::kExactDuplicate;
  if (chunk.has_sketch[i] == 0) return Status::kTooShort;
  flag.original = known_.best_original(i);
  return flag.original ? Status::kNearDuplicate : Status::kUnique;
}

Verdict Resolver::verdict_of(const IdKey& key, const IdRow& version) {
  Verdict verdict{.seq = version.seq, .kept = version.kept};
  if (version.kept) return verdict;
  verdict.original = version.original;
  verdict.original_id = known_.id_of(version.original, key.name_space);
  verdict.similarity = version.similarity;
  return verdict;
}

void Resolver::end_version(const IdKey& key, const IdRow& version) {
  has_ended_versions_ = true;
  pending_.end_version(key, version);
  if (!version.has_document) return;
  tombstones_.add({version.seq, known_.text_bytes(key, version), ErasedBy::kBatch});
}

void Resolver::delete_version(const IdKey& key, const IdRow& version) {
  end_version(key, version);
  pending_.erase_id(key);
}

void Resolver::store_document(const SketchedBatch& chunk, std::size_t i, Seq seq) {
  const SketchShape& shape = chunk.rows.shape;
  const Query query = query_of(chunk, i);
  DocumentRow row;
  row.seq = seq;
  row.id = chunk.records[i].id;
  row.name_space = chunk.records[i].name_space;
  row.time_ms = time_.now_ms();
  row.content = chunk.content[i];
  row.tokens = chunk.tokens[i];
  row.distinct_shingles = query.distinct_shingles;
  row.text_bytes = chunk.text_bytes[i];
  IndexEntry index;
  if (chunk.has_sketch[i] != 0) {
    const std::uint64_t* buckets = chunk.rows.buckets(i);
    row.sketch.assign(query.sketch, query.sketch + shape.sketch_words());
    index.buckets.assign(buckets, buckets + shape.bands);
    index.one_bit.assign(query.one_bit, query.one_bit + shape.one_bit_words());
    sketches_.put(seq, query.sketch);
    if (quality_ != nullptr) quality_->stored(seq, query.text);
  }
  const bool keeps_text = keep_texts_ != KeepTexts::kNone;
  const std::string_view text = keeps_text ? chunk.kept_text(i) : std::string_view{};
  pending_.add({std::move(row), text, std::move(index)});
}

void Resolver::store_id(const SketchedBatch& chunk, std::size_t i, const Flag& flag,
                        bool has_document) {
  IdRow row;
  row.seq = flag.seq;
  row.time_ms = time_.now_ms();
  row.content = chunk.content[i];
  row.kept = !flag.original;
  row.has_document = has_document;
  if (flag.original) {
    row.original = flag.original->seq;
    row.similarity = flag.original->similarity;
  }
  const bool keeps_text = keep_texts_ == KeepTexts::kAll && flag.original && !has_document;
  pending_.put_id(key_of(chunk.records[i]), row,
                  keeps_text ? chunk.kept_text(i) : std::string_view{});
  retention_.add({row.seq, row.time_ms, has_document ? chunk.text_bytes[i] : 0});
}

void Resolver::fill(WriteSet& writes) {
  delete_what_is_due();
  pending_.fill(writes);
  retention_.fill(writes);
  writes.meta.emplace_back(kMetaRule, rule_text_);
  due_deletes_.fill(writes);
  writes.meta.emplace_back(kMetaNextSeq, fmt::format("{}", next_seq_));
  writes.meta.emplace_back(kMetaStreamTime, fmt::format("{}", time_.now_ms()));
  writes.meta.emplace_back(kMetaStreamBegan, fmt::format("{}", time_.began_ms()));
}

void Resolver::committed(WriteSet& writes) {
  keep_rows(writes);
  tombstones_.committed();
  known_.committed();
  pending_.clear();
  retention_.committed();
  due_deletes_.committed();
  if (quality_ != nullptr) quality_->batch_stored();
}

// A copy often has further copies, most similar to it; a page that has changed often changes again.
void Resolver::keep_rows(WriteSet& writes) {
  auto next = wanted_again_.begin();
  for (DocumentPut& put : writes.documents) {
    while (next != wanted_again_.end() && *next < put.row.seq) ++next;
    if (next == wanted_again_.end()) break;
    if (*next == put.row.seq) rows_.put(std::move(put.row));
  }
  wanted_again_.clear();
}

void Resolver::ends(std::span<const Seq> documents) {
  for (const Seq seq : documents) {
    const DocumentRow* row = rows_.get(seq);
    tombstones_.add({seq, row == nullptr ? 0 : row->text_bytes, ErasedBy::kCommand});
  }
}

}  // namespace neardup
