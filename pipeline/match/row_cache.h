// A cache of the rows of stored documents. Rows are read in bulk; the same documents are candidates
// repeatedly.
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
  // Holds rows of about `bytes`. Puts the sketches of the rows that it reads into `sketches`.
  RowCache(Store& store, SketchCache& sketches, Tombstones& tombstones, std::uint64_t bytes);

  // To be called while no row is in use: when the rows take more than their bytes, drops the rows
  // that were not used lately.
  void limit();

  // Reads the rows of `seqs` that are not in memory, in one call of the store, as many as fit into
  // a quarter of the bytes: the oldest. `seqs` may have repeats.
  void fetch(std::span<const Seq> seqs);

  // The row, read from the store if it is not in memory. Null when the store has none or the
  // document is no longer live. Valid until the next `limit`, and while the document is live.
  const DocumentRow* get(Seq seq);

  // Bytes of the rows in memory, approximately.
  std::uint64_t held_bytes() const { return new_bytes_ + old_bytes_; }

  // Adds a row that has just been committed.
  void put(DocumentRow row);

 private:
  void on_tombstone(const Tombstone& tombstone) override {
    if (Row* row = find(tombstone.seq)) row->reset();
  }

  using Row = std::optional<DocumentRow>;  // nothing: there is no live document
  using Rows = SeqTable<Row>;

  // The row in new_, or null where it is not in memory.
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
  Rows new_;                 // used since the generations changed
  Rows old_;                 // last used in the generation before
  std::vector<Seq> missing_;
  std::vector<std::optional<DocumentRow>> fetched_;
};

}  // namespace neardup
