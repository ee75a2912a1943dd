// Rows of stored documents, fetched in bulk and kept for a while: candidates come again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/seq_table.h"
#include "pipeline/sketch_cache.h"
#include "pipeline/tombstones.h"
#include "storage/store.h"

namespace neardup {

class DocumentRows : private TombstoneListener {
 public:
  // Puts the sketches of rows that it fetches into `sketches`.
  DocumentRows(Store& store, SketchCache& sketches, Tombstones& tombstones)
      : store_(store), sketches_(sketches), tombstones_(tombstones) {
    tombstones.listen(*this);
  }

  // Fetches those of `seqs` that are not at hand, in one call of the store. May forget rows that
  // were not asked for since many; rows of this call stay until the next. `seqs` is sorted and made
  // unique.
  void fetch(std::vector<Seq>& seqs);
  // The same, and those of the `fetch` before stay, too.
  void fetch_also(std::vector<Seq>& seqs);

  // The row, or null when the store has none or the document has ended. Valid until the next
  // `fetch`, or until the document ends.
  const DocumentRow* get(Seq seq);

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

  Store& store_;
  SketchCache& sketches_;
  const Tombstones& tombstones_;
  Rows new_;  // asked for since the generations changed
  Rows old_;  // and those asked for in the one before
  std::vector<Seq> missing_;
  std::vector<std::optional<DocumentRow>> fetched_;
};

}  // namespace neardup
