#include "pipeline/resolve.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/failure.h"
#include "pipeline/document_put.h"
#include "pipeline/state_keys.h"

namespace neardup {
namespace {

Judge::Place stored_place(const Rule& rule, Store& store) {
  StreamTime time(rule.retention.max_step_ms);
  time.go_on(meta_number(store, kMetaStreamBegan, 0), meta_number(store, kMetaStreamTime, 0));
  return {static_cast<Seq>(meta_number(store, kMetaNextSeq, 1)), time};
}

}  // namespace

Resolver::Resolver(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                   KeepTexts keep_texts, Store& store)
    : keep_texts_(keep_texts),
      rule_text_(rule_text(rule)),
      retention_(rule.retention, store, tombstones_),
      pending_(tombstones_),
      sketches_(rule.plan.shape().sketch_words(), filter.sketch_bytes),
      rows_(store, sketches_, tombstones_, filter.row_bytes),
      known_(rule, filter, cpu, store, pending_, tombstones_, sketches_, rows_),
      judge_(rule, stored_place(rule, store), known_, retention_, *this),
      due_deletes_(store) {
  require_same_rule(store, rule);
}

void Resolver::watch_quality(QualityCheck& check) {
  quality_ = &check;
  known_.watch_quality(check);
}

void Resolver::look_up(std::span<const SketchedBatch* const> chunks) { known_.prepare(chunks); }

void Resolver::resolve(const SketchedBatch& chunk, std::vector<Flag>& flags) {
  const SketchedBatch* const one = &chunk;
  look_up({&one, 1});
  resolve(0, flags);
}

void Resolver::resolve(std::size_t n, std::vector<Flag>& flags) {
  known_.select(n);
  const SketchedBatch& chunk = known_.chunk();
  if (next_seq() + chunk.size() > kMaxSeq) {
    throw Failure(Exit::kConfig, "the state has used all 2^40 arrival numbers; begin a new one");
  }
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
  const Judge::Place place = judge_.place();
  const Seq watermark = tombstones_.expired_before();
  flag = decide(chunk, i);
  const bool moved =
      stream_time_ms() != place.time.now_ms() && tombstones_.expired_before() != watermark;
  judge_.go_back(place);
  return !moved && !has_ended_versions_;
}

Flag Resolver::decide(const SketchedBatch& chunk, std::size_t i) {
  delete_what_is_due();
  Flag flag = judge_.decide(chunk, i);
  if (tells_verdicts_ && flag.status == Status::kUnchanged) {
    flag.verdict = verdict_of({flag.name_space, flag.id}, *known_.version(i));
  }
  return flag;
}

Verdict Resolver::verdict_of(const IdKey& key, const IdRow& version) {
  Verdict verdict{.seq = version.seq, .kept = version.kept};
  if (version.kept) return verdict;
  verdict.original = version.original;
  verdict.original_id = known_.id_of(version.original, key.name_space);
  verdict.similarity = version.similarity;
  return verdict;
}

void Resolver::delete_what_is_due() {
  while (const auto key = due_deletes_.take(next_seq())) {
    if (const auto version = known_.version(*key)) deleted(*key, *version);
  }
}

// Stores what was decided about a document.
void Resolver::keep(const SketchedBatch& chunk, std::size_t i, const Flag& flag) {
  const std::optional<IdRow> version = judge_.version_of(chunk, i, flag);
  if (!version) return;
  const bool has_document = version->has_document;
  if (has_document) store_document(chunk, i, *version);
  if (has_document && (flag.original || flag.previous)) wanted_again_.push_back(flag.seq);
  const bool keeps_text = keep_texts_ == KeepTexts::kAll && flag.original && !has_document;
  pending_.put_id({chunk.records[i].name_space, chunk.records[i].id}, *version,
                  keeps_text ? chunk.kept_text(i) : std::string_view{});
  retention_.add({flag.seq, version->time_ms, has_document ? chunk.text_bytes[i] : 0});
}

void Resolver::replaced(const IdKey& key, const IdRow& version) {
  has_ended_versions_ = true;
  pending_.end_version(key, version);
  if (!version.has_document) return;
  tombstones_.add({version.seq, known_.text_bytes(key, version), ErasedBy::kBatch});
}

void Resolver::deleted(const IdKey& key, const IdRow& version) {
  replaced(key, version);
  pending_.erase_id(key);
}

void Resolver::store_document(const SketchedBatch& chunk, std::size_t i, const IdRow& version) {
  if (quality_ != nullptr && chunk.has_sketch[i] != 0) {
    quality_->stored(version.seq, chunk.texts.text(i));
  }
  const GroupBuckets& buckets = known_.buckets();
  pending_.add(document_put(chunk, i, version, keep_texts_ != KeepTexts::kNone), buckets.content(i),
               [&](std::uint32_t m) { return buckets.band(i, m); });
}

void Resolver::fill(WriteSet& writes) {
  delete_what_is_due();
  pending_.fill(writes);
  retention_.fill(writes);
  writes.meta.emplace_back(kMetaRule, rule_text_);
  due_deletes_.fill(writes);
  writes.meta.emplace_back(kMetaNextSeq, fmt::format("{}", next_seq()));
  writes.meta.emplace_back(kMetaStreamTime, fmt::format("{}", stream_time_ms()));
  writes.meta.emplace_back(kMetaStreamBegan, fmt::format("{}", judge_.place().time.began_ms()));
}

void Resolver::committed(const WriteSet& writes) {
  keep_rows(writes);
  tombstones_.committed();
  known_.committed(writes.documents);
  pending_.clear();
  retention_.committed();
  due_deletes_.committed();
  if (quality_ != nullptr) quality_->batch_stored();
}

// A copy often has further copies, most similar to it; a page that has changed often changes again.
void Resolver::keep_rows(const WriteSet& writes) {
  auto next = wanted_again_.begin();
  for (const DocumentPut& put : writes.documents) {
    while (next != wanted_again_.end() && *next < put.row.seq) ++next;
    if (next == wanted_again_.end()) break;
    if (*next == put.row.seq) rows_.put(put.row);
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
