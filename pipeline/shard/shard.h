// A shard: a store with some of the documents and ids of a stream. It answers records, and applies
// what was decided about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/match/pending.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/retention/stream_time.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "pipeline/shard/answer.h"
#include "pipeline/shard/effect.h"
#include "pipeline/shard/shard_documents.h"
#include "storage/store.h"

namespace neardup {

class Shard {
 public:
  // Continues from the seq, stream time and watermark of the store, which must outlive this. Throws
  // Failure(kConfig) when the store has another rule; an empty one takes this one. `slack`: as
  // ShardDocuments.
  // Requires: the store has its index (Store::set_index).
  Shard(const Rule& rule, std::uint32_t slack, const FilterOptions& filter, const CpuOptions& cpu,
        KeepTexts keep_texts, Store& store);

  // The last record whose decision is in the store.
  Seq decided() const { return next_seq_ - 1; }
  std::int64_t stream_time_ms() const { return time_.now_ms(); }

  // About records that come later, as of that decision. Requires: no effect waits for `committed`.
  Answer answer(const SketchedBatch& chunk, Seq first) {
    return documents_.answer(chunk, first, decided());
  }

  // Applies what was decided about the next records: those of the chunk from `from` on. `owns`
  // says by seq which of them this shard keeps. If texts are kept, `chunk` must live until
  // `committed`.
  void apply(const SketchedBatch& chunk, std::size_t from, std::span<const Effect> effects,
             const std::function<bool(Seq)>& owns);

  // Moves all changes into `writes`, for Store::commit. Documents below `watermark` are forgotten.
  void fill(Seq watermark, WriteSet& writes);
  // They are in the store.
  void committed();

 private:
  void look_up_ended(const SketchedBatch& chunk, std::size_t from, std::span<const Effect> effects);
  void end_version(const IdKey& key, Seq ended, const std::optional<IdRow>& stored);
  void keep(const SketchedBatch& chunk, std::size_t i, const Effect& effect);

  std::string rule_text_;
  KeepTexts keep_texts_;
  Store& store_;
  Seq next_seq_;
  StreamTime time_;
  Tombstones tombstones_;
  Pending pending_;
  ShardDocuments documents_;
  std::vector<IdKey> keys_;  // of records that end a version
  std::vector<std::optional<IdRow>> ended_;
};

}  // namespace neardup
