// Rows of live documents, those of the current batch and those in the store.
#pragma once

#include <string_view>

#include "pipeline/match/pending.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/retention/tombstones.h"

namespace neardup {

class LiveRows {
 public:
  LiveRows(const Pending& pending, const Tombstones& tombstones, RowCache& stored)
      : pending_(pending), tombstones_(tombstones), stored_(stored) {}

  // The row of a live document of the namespace, or null. Reads the store where the row is not in
  // memory. Valid until the cache's `limit`, or until the document is deleted.
  const DocumentRow* find(Seq seq, std::string_view name_space) {
    const DocumentRow* row = find(seq);
    return row != nullptr && row->name_space == name_space ? row : nullptr;
  }

  // The same, of documents with a sketch.
  const DocumentRow* find_sketched(Seq seq, std::string_view name_space) {
    const DocumentRow* row = find(seq, name_space);
    return row == nullptr || row->sketch.empty() ? nullptr : row;
  }

 private:
  const DocumentRow* find(Seq seq) {
    if (const DocumentPut* put = pending_.document(seq)) return &put->row;
    return tombstones_.ended(seq) ? nullptr : stored_.get(seq);
  }

  const Pending& pending_;
  const Tombstones& tombstones_;
  RowCache& stored_;
};

}  // namespace neardup
