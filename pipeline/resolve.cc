#include "pipeline/resolve.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "gpu/hd/pack.h"
#include "gpu/keys.h"
#include "gpu/sketcher.h"
#include "pipeline/core/failure.h"

namespace neardup {
namespace {

// One wrong clock may move stream time by at most a day a document.
constexpr std::int64_t kMostStepMs = 86'400'000;

std::int64_t stored_number(Store& store, std::string_view key, std::int64_t otherwise) {
  const std::optional<std::string> text = store.meta(key);
  if (!text) return otherwise;
  std::int64_t value = otherwise;
  std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

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

void require_same_rule(Store& store, const Rule& rule) {
  const std::string wanted = rule_text(rule);
  const std::optional<std::string> stored = store.meta(kMetaRule);
  if (!stored || *stored == wanted) return;
  throw Failure(
      Exit::kConfig,
      fmt::format("the state was made under rule {}, but the configuration says rule {}:{}\n"
                  "Use the configuration of the state, or another --state directory.",
                  rule_fingerprint(*stored), rule_fingerprint(wanted),
                  rule_difference(*stored, wanted)));
}

Resolver::Resolver(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                   bool keep_texts, Store& store)
    : rule_(rule),
      keep_texts_(keep_texts),
      keys_of_bands_(make_band_keys(rule.plan)),
      rule_text_(rule_text(rule)),
      look_up_(store, rule.plan.bands, rule.bucket_cap),
      sets_(make_sets(rule, cpu, pending_, store)),
      verifier_(rule, filter, cpu, sets_),
      candidates_(rule, verifier_.comparer(), look_up_, pending_) {
  require_same_rule(store, rule);
  next_seq_ = static_cast<Seq>(stored_number(store, kMetaNextSeq, 1));
  stream_time_ms_ = stored_number(store, kMetaStreamTime, 0);
}

void Resolver::resolve(const SketchedBatch& chunk, std::vector<Flag>& flags) {
  if (next_seq_ + chunk.size() > kMaxSeq) {
    throw Failure(Exit::kConfig, "the state has used all 2^40 arrival numbers; begin a new one");
  }
  look_up_.run(chunk);
  for (std::size_t i = 0; i < chunk.size(); ++i) flags.push_back(decide(chunk, i));
}

Flag Resolver::decide(const SketchedBatch& chunk, std::size_t i) {
  const Record& record = chunk.records[i];
  Flag flag;
  flag.seq = next_seq_++;
  flag.has_id = record.kind != RecordKind::kRejected || record.has_id;
  flag.id = record.id;
  flag.name_space = record.name_space;
  flag.source = record.source;
  switch (record.kind) {
    case RecordKind::kRejected:
      flag.status = Status::kRejected;
      flag.reason = record.reason;
      flag.detail = record.detail;
      break;
    case RecordKind::kDelete:
      advance_stream_time(record);
      decide_delete(i, flag);
      break;
    case RecordKind::kDocument:
      advance_stream_time(record);
      decide_document(make_arrival(chunk, i), flag);
      break;
  }
  return flag;
}

void Resolver::advance_stream_time(const Record& record) {
  if (!record.ts_ms) return;
  const std::int64_t most = stream_time_ms_ == 0 ? *record.ts_ms : stream_time_ms_ + kMostStepMs;
  stream_time_ms_ = std::max(stream_time_ms_, std::min(*record.ts_ms, most));
}

void Resolver::decide_delete(std::size_t i, Flag& flag) {
  flag.status = Status::kDeleted;
  const std::optional<IdRow> row = current_version(i);
  flag.known = row.has_value();
  if (!row) return;
  end_document(*row, look_up_.key(i).name_space);
  pending_.erase_id(look_up_.key(i));
}

void Resolver::decide_document(const Arrival& arrival, Flag& flag) {
  if (const std::optional<IdRow> row = current_version(arrival.i)) {
    if (row->content == arrival.content()) {
      flag.status = Status::kUnchanged;
      return;
    }
    flag.previous = end_version(arrival, *row);
  }
  flag.status = choose_status(arrival, flag);
  const bool all = rule_.decision.against == Against::kAll;
  const bool has_document = flag.status != Status::kEmpty && (all || !flag.original);
  if (has_document) store_document(arrival, flag.seq);
  store_id(arrival, flag, has_document);
}

Status Resolver::choose_status(const Arrival& arrival, Flag& flag) {
  if (arrival.chunk.tokens[arrival.i] == 0) return Status::kEmpty;
  if (const DocumentRow* same = candidates_.same_content(arrival.chunk, arrival.i)) {
    flag.original = content_original(*same);
    return Status::kExactDuplicate;
  }
  if (!arrival.has_sketch) return Status::kTooShort;
  flag.original =
      verifier_.best(arrival.query, candidates_.near(arrival.chunk, arrival.i, arrival.query));
  return flag.original ? Status::kNearDuplicate : Status::kUnique;
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
  return look_up_.id(i);
}

Previous Resolver::end_version(const Arrival& arrival, const IdRow& row) {
  Previous previous{row.seq, std::nullopt};
  const DocumentRow* old =
      row.has_document ? candidates_.live(row.seq, arrival.record().name_space) : nullptr;
  if (old != nullptr && !old->sketch.empty() && arrival.has_sketch) {
    previous.similarity = verifier_.similarity(arrival.query, *old);
  }
  end_document(row, arrival.record().name_space);
  return previous;
}

void Resolver::end_document(const IdRow& row, const std::string& name_space) {
  if (!row.has_document) return;
  if (pending_.document(row.seq) != nullptr) {
    pending_.end_pending(row.seq);
    return;
  }
  const DocumentRow* old = candidates_.live(row.seq, name_space);
  if (old == nullptr) return;
  std::vector<std::uint64_t> buckets(rule_.plan.bands);
  if (!old->sketch.empty()) {
    const std::uint64_t hash = hash_namespace(rule_.plan.sketch.seed, name_space);
    band_keys(rule_.plan, keys_of_bands_, old->sketch.data(), hash, buckets.data());
  }
  pending_.end_stored(row.seq, postings_of(*old, buckets.data()));
  look_up_.rows().forget(row.seq);
}

std::vector<Posting> Resolver::postings_of(const DocumentRow& row,
                                           const std::uint64_t* buckets) const {
  std::vector<Posting> postings;
  postings.push_back({content_bucket(row.content), row.seq, 0});
  if (row.sketch.empty()) return postings;
  const auto mini =
      static_cast<std::uint16_t>(hd::mini_sketch(row.one_bit.data(), rule_.plan.sketch.size));
  for (std::uint32_t m = 0; m < rule_.plan.bands; ++m) {
    postings.push_back({{static_cast<std::uint16_t>(m), buckets[m]}, row.seq, mini});
  }
  return postings;
}

void Resolver::store_document(const Arrival& arrival, Seq seq) {
  const SketchedBatch& chunk = arrival.chunk;
  const SketchShape shape = rule_.plan.shape();
  DocumentRow row;
  row.seq = seq;
  row.id = arrival.record().id;
  row.name_space = arrival.record().name_space;
  row.time_ms = stream_time_ms_;
  row.content = arrival.content();
  row.tokens = chunk.tokens[arrival.i];
  row.distinct_shingles = arrival.query.distinct_shingles;
  row.text_bytes = chunk.text_bytes[arrival.i];
  if (arrival.has_sketch) {
    row.sketch.assign(arrival.query.sketch, arrival.query.sketch + shape.sketch_words());
    row.one_bit.assign(arrival.query.one_bit, arrival.query.one_bit + shape.one_bit_words());
  }
  std::vector<Posting> postings =
      postings_of(row, chunk.rows.buckets.data() + arrival.i * shape.bands);
  const std::string_view text = keep_texts_ ? arrival.query.text : std::string_view{};
  pending_.add({std::move(row), text}, std::move(postings));
}

void Resolver::store_id(const Arrival& arrival, const Flag& flag, bool has_document) {
  IdRow row;
  row.seq = flag.seq;
  row.time_ms = stream_time_ms_;
  row.content = arrival.content();
  row.kept = !flag.original;
  row.has_document = has_document;
  if (flag.original) {
    row.original = flag.original->seq;
    row.similarity = flag.original->similarity;
  }
  pending_.put_id(look_up_.key(arrival.i), row);
}

void Resolver::fill(WriteSet& writes) const {
  pending_.fill(writes);
  writes.meta.emplace_back(kMetaRule, rule_text_);
  writes.meta.emplace_back(kMetaNextSeq, fmt::format("{}", next_seq_));
  writes.meta.emplace_back(kMetaStreamTime, fmt::format("{}", stream_time_ms_));
}

}  // namespace neardup
