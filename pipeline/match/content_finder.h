// The oldest live document with the same normalised text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/live_rows.h"
#include "pipeline/match/pending.h"
#include "pipeline/model/sketched_batch.h"

namespace neardup {

class ContentFinder {
 public:
  // The references must outlive this.
  ContentFinder(ChunkLookup& lookup, Pending& pending, LiveRows& live)
      : lookup_(lookup), pending_(pending), live_(live) {}

  // The live document of the smallest seq with the content and namespace of record i, or null.
  // Requires: the look-up has run for this chunk. Valid as a row of `live`.
  const DocumentRow* find(const SketchedBatch& chunk, std::size_t i);

  // The oldest of them, at most `limit`. Requires and valid as above.
  void find_oldest(const SketchedBatch& chunk, std::size_t i, std::size_t limit,
                   std::vector<const DocumentRow*>& rows);

 private:
  // A content bucket in which no stored document up to `passed` can be the answer any more.
  struct Cursor {
    Hash128 content;
    std::string name_space;
    Seq passed = 0;
  };
  template <class Visit>
  void visit_rows(const SketchedBatch& chunk, std::size_t i, Visit visit);
  template <class Visit>
  void walk(const Bucket& bucket, const BucketSeqs& first, Seq passed, Visit visit);
  Seq passed(const Bucket& bucket, const SketchedBatch& chunk, std::size_t i) const;

  ChunkLookup& lookup_;
  Pending& pending_;
  LiveRows& live_;
  std::unordered_map<std::uint64_t, Cursor> cursors_;  // by key of the bucket
};

}  // namespace neardup
