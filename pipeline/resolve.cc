#include "pipeline/resolve.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/core/failure.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_keys.h"

namespace neardup {
namespace {

ExactSets make_sets(const Rule& rule, const CpuOptions& cpu, const Pending& pending, Store& store) {
  return ExactSets(Shingler(rule.plan.shingle, rule.plan.sketch.seed, cpu.simd),
                   [&pending, &store](Seq seq) -> std::optional<std::string> {
                     if (const DocumentPut* put = pending.document(seq))
                       return std::string(put->text);
                     return store.text(seq);
                   });
}

Original content_original(const DocumentRow& row) {
  return {row.id, row.seq, VerifiedBy::kContent, kOne, kOne, kOne, 0};
}

}  // namespace

Resolver::Resolver(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                   bool keep_texts, Store& store)
    : rule_(rule),
      keep_texts_(keep_texts),
      rule_text_(rule_text(rule)),
      store_(store),
      time_(rule.retention.max_step_ms),
      retention_(rule.retention, store, tombstones_),
      pending_(tombstones_),
      sets_(make_sets(rule, cpu, pending_, store)),
      verifier_(rule, cpu, sets_),
      filter_(verifier_.comparer(), filter.one_bit ? verifier_.least_count() : 0),
      capped_buckets_(verifier_.comparer(), rule.bucket_cap, tombstones_),
      look_up_(store, rule.plan.bands, rule.bucket_cap, verifier_.comparer(), filter_,
               capped_buckets_, tombstones_,
               rule.decision.verify == VerifyMode::kExact ? RowsOf::kAll : RowsOf::kBest, filter),
      candidates_(rule, verifier_.comparer(), look_up_, pending_, capped_buckets_, tombstones_),
      due_deletes_(store) {
  require_same_rule(store, rule);
  store.set_index(IndexEntryMaker(rule.plan));
  next_seq_ = static_cast<Seq>(meta_number(store, kMetaNextSeq, 1));
  time_.go_on(meta_number(store, kMetaStreamBegan, 0), meta_number(store, kMetaStreamTime, 0));
}

void Resolver::resolve(const SketchedBatch& chunk, std::vector<Flag>& flags) {
  if (next_seq_ + chunk.size() > kMaxSeq) {
    throw Failure(Exit::kConfig, "the state has used all 2^40 arrival numbers; begin a new one");
  }
  look_up_.run(chunk);
  StageClock clock;
  for (std::size_t i = 0; i < chunk.size(); ++i) flags.push_back(decide(chunk, i));
  clock.lap(verify_time_);
}

Flag Resolver::decide(const SketchedBatch& chunk, std::size_t i) {
  const Record& record = chunk.records[i];
  delete_what_is_due();
  Flag flag;
  flag.seq = next_seq_++;
  flag.has_id = record.kind != RecordKind::kRejected || record.has_id;
  flag.id = record.id;
  flag.name_space = record.name_space;
  flag.source = record.source;
  advance(flag.seq, record);
  switch (record.kind) {
    case RecordKind::kRejected:
      flag.status = Status::kRejected;
      flag.reason = record.reason;
      flag.detail = record.detail;
      break;
    case RecordKind::kDelete:
      decide_delete(i, flag);
      break;
    case RecordKind::kDocument:
      decide_document(make_arrival(chunk, i), flag);
      break;
  }
  return flag;
}

void Resolver::advance(Seq seq, const Record& record) {
  if (record.kind != RecordKind::kRejected && record.ts_ms) time_.advance(*record.ts_ms);
  retention_.advance(seq, time_);
}

void Resolver::decide_delete(std::size_t i, Flag& flag) {
  flag.status = Status::kDeleted;
  const std::optional<IdRow> row = current_version(i);
  flag.known = row.has_value();
  if (!row) return;
  end_version(look_up_.key(i), look_up_.id(i), *row);
  pending_.erase_id(look_up_.key(i));
}

void Resolver::delete_what_is_due() {
  while (const auto key = due_deletes_.take(next_seq_)) delete_by_command(*key);
}

void Resolver::delete_by_command(const IdKey& key) {
  std::vector<std::optional<IdRow>> stored;
  store_.ids({&key, 1}, stored);
  std::optional<IdRow> row = stored.front();
  IdRow pending;
  switch (pending_.find_id(key, pending)) {
    case Pending::Id::kErased:
      return;
    case Pending::Id::kPut:
      row = pending;
      break;
    case Pending::Id::kUntouched:
      break;
  }
  if (!row || tombstones_.expired(row->seq)) return;
  end_version(key, stored.front(), *row);
  pending_.erase_id(key);
}

void Resolver::decide_document(const Arrival& arrival, Flag& flag) {
  if (const std::optional<IdRow> row = current_version(arrival.i)) {
    if (row->content == arrival.content()) {
      flag.status = Status::kUnchanged;
      return;
    }
    flag.previous = compare_versions(arrival, *row);
    end_version(look_up_.key(arrival.i), look_up_.id(arrival.i), *row);
  }
  flag.status = choose_status(arrival, flag);
  const bool all = rule_.decision.against == Against::kAll;
  const bool has_document = flag.status != Status::kEmpty && (all || !flag.original);
  if (has_document) store_document(arrival, flag.seq);
  if (has_document && (flag.original || flag.previous)) wanted_again_.push_back(flag.seq);
  store_id(arrival, flag, has_document);
}

Status Resolver::choose_status(const Arrival& arrival, Flag& flag) {
  if (arrival.chunk.tokens[arrival.i] == 0) return Status::kEmpty;
  if (const DocumentRow* same = candidates_.same_content(arrival.chunk, arrival.i)) {
    flag.original = content_original(*same);
    return Status::kExactDuplicate;
  }
  if (!arrival.has_sketch) return Status::kTooShort;
  const std::span<const Nominee> nominees =
      candidates_.near(arrival.chunk, arrival.i, arrival.query);
  flag.original = verifier_.best(arrival.query, nominees, candidates_);
  if (quality_ != nullptr) offer_pair(arrival, flag, nominees);
  return flag.original ? Status::kNearDuplicate : Status::kUnique;
}

void Resolver::offer_pair(const Arrival& arrival, const Flag& flag,
                          std::span<const Nominee> nominees) {
  if (flag.original) {
    quality_->pair(PairKind::kFlagged, flag.original->seq, arrival.query.text);
    return;
  }
  const auto sampled = [](const Nominee& nominee) { return QualityCheck::is_sampled(nominee.seq); };
  if (std::ranges::none_of(nominees, sampled)) return;  // seldom: counting all values costs
  if (const auto nearest = verifier_.near_miss(arrival.query, nominees, candidates_)) {
    quality_->pair(PairKind::kNearMiss, *nearest, arrival.query.text);
  }
}

Resolver::Arrival Resolver::make_arrival(const SketchedBatch& chunk, std::size_t i) const {
  const SketchShape shape = rule_.plan.shape();
  return {chunk, i,
          Query{chunk.records[i].name_space, chunk.rows.sketches.data() + i * shape.sketch_words(),
                chunk.rows.one_bit.data() + i * shape.one_bit_words(),
                chunk.rows.distinct_shingles[i], chunk.texts.text(i)},
          chunk.has_sketch[i] != 0};
}

std::optional<IdRow> Resolver::current_version(std::size_t i) const {
  IdRow row;
  switch (pending_.find_id(look_up_.key(i), row)) {
    case Pending::Id::kErased:
      return std::nullopt;
    case Pending::Id::kPut:
      return row;
    case Pending::Id::kUntouched:
      break;
  }
  const std::optional<IdRow>& stored = look_up_.id(i);
  return stored && !tombstones_.expired(stored->seq) ? stored : std::nullopt;
}

Previous Resolver::compare_versions(const Arrival& arrival, const IdRow& row) {
  Previous previous{row.seq, std::nullopt};
  const DocumentRow* old =
      row.has_document ? candidates_.live(row.seq, arrival.record().name_space) : nullptr;
  if (old != nullptr && !old->sketch.empty() && arrival.has_sketch) {
    previous.similarity = verifier_.similarity(arrival.query, *old);
  }
  return previous;
}

// `stored`: the version that the store holds, `row`: the one that is current.
void Resolver::end_version(const IdKey& key, const std::optional<IdRow>& stored, const IdRow& row) {
  if (stored && stored->seq == row.seq) pending_.end_stored_id(key, row);
  if (!row.has_document) return;
  end_document(row.seq, candidates_.live(row.seq, key.name_space), ErasedBy::kBatch);
}

void Resolver::end_document(Seq seq, const DocumentRow* row, ErasedBy erased_by) {
  tombstones_.add({seq, row == nullptr ? 0 : row->text_bytes, erased_by});
}

void Resolver::store_document(const Arrival& arrival, Seq seq) {
  const SketchedBatch& chunk = arrival.chunk;
  const SketchShape shape = rule_.plan.shape();
  DocumentRow row;
  row.seq = seq;
  row.id = arrival.record().id;
  row.name_space = arrival.record().name_space;
  row.time_ms = time_.now_ms();
  row.content = arrival.content();
  row.tokens = chunk.tokens[arrival.i];
  row.distinct_shingles = arrival.query.distinct_shingles;
  row.text_bytes = chunk.text_bytes[arrival.i];
  IndexEntry index;
  if (arrival.has_sketch) {
    row.sketch.assign(arrival.query.sketch, arrival.query.sketch + shape.sketch_words());
    const std::uint64_t* buckets = chunk.rows.buckets.data() + arrival.i * shape.bands;
    index.buckets.assign(buckets, buckets + shape.bands);
    index.one_bit.assign(arrival.query.one_bit, arrival.query.one_bit + shape.one_bit_words());
    look_up_.sketches().put(seq, arrival.query.sketch);
  }
  if (quality_ != nullptr && arrival.has_sketch) quality_->stored(seq, arrival.query.text);
  const std::string_view text = keep_texts_ ? arrival.query.text : std::string_view{};
  pending_.add({std::move(row), text, std::move(index)});
}

void Resolver::store_id(const Arrival& arrival, const Flag& flag, bool has_document) {
  IdRow row;
  row.seq = flag.seq;
  row.time_ms = time_.now_ms();
  row.content = arrival.content();
  row.kept = !flag.original;
  row.has_document = has_document;
  if (flag.original) {
    row.original = flag.original->seq;
    row.similarity = flag.original->similarity;
  }
  pending_.put_id(look_up_.key(arrival.i), row);
  retention_.add({row.seq, row.time_ms, has_document ? arrival.chunk.text_bytes[arrival.i] : 0});
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
  capped_buckets_.committed();
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
    if (*next == put.row.seq) look_up_.rows().put(std::move(put.row));
  }
  wanted_again_.clear();
}

void Resolver::ends(std::span<const Seq> documents) {
  for (const Seq seq : documents) {
    end_document(seq, look_up_.rows().get(seq), ErasedBy::kCommand);
  }
}

}  // namespace neardup
