// Rows of stored documents, fetched in bulk and kept for a while: candidates come again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/match/seq_table.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/retention/tombstones.h"
#include "storage/store.h"

namespace neardup {

class RowCache : private TombstoneListener {
 public:
  // Puts the sketches of rows that it fetches into `sketches`.
  // Holds rows of about `bytes`.
  RowCache(Store& store, SketchCache& sketches, Tombstones& tombstones, std::uint64_t bytes);

  // To be called while no row is in use: forgets rows that were not asked for lately when those
  // held take more than their bytes.
  void limit();

  // Reads the rows of `seqs` that are not in memory, in one call of the store, as many as fit into
  // a quarter of the bytes: the oldest. `seqs` may have repeats.
  void fetch(std::span<const Seq> seqs);

  // The row, or null when the store has none or the document has ended. Valid until the next
  // `limit`, or until the document ends.
  const DocumentRow* get(Seq seq);

  // Of the rows that are held, about.
  std::uint64_t held_bytes() const { return new_bytes_ + old_bytes_; }

  // A row that the store has got just now.
  void put(DocumentRow row);

 private:
  void on_tombstone(const Tombstone& tombstone) override {
    if (Row* row = find(tombstone.seq)) row->reset();
  }

  using Row = std::optional<DocumentRow>;  // nothing: there is no live document
  using Rows = SeqTable<Row>;

  // In new_; null where it is not at hand.
  Row* find(Seq seq);
  Row* keep(Seq seq, Row row);
  Row* add(Seq seq, Row row);

  Store& store_;
  SketchCache& sketches_;
  const Tombstones& tombstones_;
  std::uint64_t bytes_;
  std::uint64_t new_bytes_ = 0;  // of new_
  std::uint64_t old_bytes_ = 0;
  std::uint64_t row_bytes_;  // of the largest row so far
  Rows new_;                 // asked for since the generations changed
  Rows old_;                 // and those asked for in the one before
  std::vector<Seq> missing_;
  std::vector<std::optional<DocumentRow>> fetched_;
};

}  // namespace neardup
