#include "pipeline/shard/shard.h"

#include <fmt/format.h>

#include "pipeline/document_put.h"
#include "pipeline/state_keys.h"

namespace neardup {

Shard::Shard(const Rule& rule, std::uint32_t slack, const FilterOptions& filter,
             const CpuOptions& cpu, KeepTexts keep_texts, Store& store)
    : rule_text_(rule_text(rule)),
      keep_texts_(keep_texts),
      store_(store),
      next_seq_(static_cast<Seq>(meta_number(store, kMetaNextSeq, 1))),
      time_(rule.retention.max_step_ms),
      pending_(tombstones_),
      documents_(rule, slack, filter, cpu, store, pending_, tombstones_) {
  require_same_rule(store, rule);
  time_.go_on(meta_number(store, kMetaStreamBegan, 0), meta_number(store, kMetaStreamTime, 0));
  tombstones_.expire(static_cast<Seq>(meta_number(store, kMetaExpiredBefore, 0)));
}

void Shard::apply(const SketchedBatch& chunk, std::size_t from, std::span<const Effect> effects,
                  const std::function<bool(Seq)>& owns) {
  look_up_ended(chunk, from, effects);
  std::size_t looked_up = 0;
  for (std::size_t n = 0; n < effects.size(); ++n) {
    const Effect& effect = effects[n];
    time_.take(chunk.records[from + n]);
    if (effect.ended != 0) {
      end_version(keys_[looked_up], effect.ended, ended_[looked_up]);
      ++looked_up;
    }
    if (effect.has_version && owns(next_seq_)) keep(chunk, from + n, effect);
    ++next_seq_;
  }
}

void Shard::look_up_ended(const SketchedBatch& chunk, std::size_t from,
                          std::span<const Effect> effects) {
  keys_.clear();
  for (std::size_t n = 0; n < effects.size(); ++n) {
    const Record& record = chunk.records[from + n];
    if (effects[n].ended != 0) keys_.push_back({record.name_space, record.id});
  }
  store_.ids(keys_, ended_);
}

// The version may be one that waits for `committed`, one of the store, or another shard's.
void Shard::end_version(const IdKey& key, Seq ended, const std::optional<IdRow>& stored) {
  IdRow row;
  const bool is_pending = pending_.find_id(key, row) == Pending::Id::kPut;
  if (!is_pending && stored) row = *stored;
  if (row.seq != ended) return;
  pending_.end_version(key, row);
  pending_.erase_id(key);
  if (row.has_document) tombstones_.add({.seq = ended});
}

void Shard::keep(const SketchedBatch& chunk, std::size_t i, const Effect& effect) {
  const Record& record = chunk.records[i];
  const IdRow version{.seq = next_seq_,
                      .time_ms = time_.now_ms(),
                      .content = chunk.content[i],
                      .kept = effect.original == 0,
                      .has_document = effect.has_document,
                      .original = effect.original,
                      .similarity = effect.similarity};
  if (effect.has_document) {
    // Whoever answers requires that nothing is pending, so that nobody would look up its buckets.
    pending_.add_unlisted(document_put(chunk, i, version, keep_texts_ != KeepTexts::kNone));
  }
  const bool keeps_text = keep_texts_ == KeepTexts::kAll && !effect.has_document;
  pending_.put_id({record.name_space, record.id}, version,
                  keeps_text ? chunk.texts.text(i) : std::string_view{});
}

void Shard::fill(Seq watermark, WriteSet& writes) {
  tombstones_.expire(watermark);
  pending_.fill(writes);
  writes.meta.emplace_back(kMetaRule, rule_text_);
  writes.meta.emplace_back(kMetaNextSeq, fmt::to_string(next_seq_));
  writes.meta.emplace_back(kMetaStreamTime, fmt::to_string(time_.now_ms()));
  writes.meta.emplace_back(kMetaStreamBegan, fmt::to_string(time_.began_ms()));
  if (watermark != 0) writes.meta.emplace_back(kMetaExpiredBefore, fmt::to_string(watermark));
}

void Shard::committed() {
  tombstones_.committed();
  documents_.committed();
  pending_.clear();
}

}  // namespace neardup
