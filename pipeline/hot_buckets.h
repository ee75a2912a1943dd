// Buckets with more live documents than the cap: which ones count. Many documents of a batch ask
// for the same hot buckets, and the answer stays the same until one of those documents ends.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/compare.h"
#include "pipeline/query.h"
#include "pipeline/seq_words.h"
#include "pipeline/tombstones.h"
#include "storage/store.h"

namespace neardup {

class HotBuckets : private TombstoneListener {
 public:
  HotBuckets(const SketchComparer& comparer, Tombstones& tombstones)
      : comparer_(comparer), tombstones_(tombstones) {
    tombstones.listen(*this);
  }

  // To be called before each document: forgets what may no longer be so.
  void refresh();

  // The oldest live documents of a bucket, as many as the cap; null: not known. Valid until
  // `refresh`, or `keep` for the same bucket.
  const SeqWords* find(const Bucket& bucket, const Query& query);

  // `seqs` are the answer for the bucket that the query is in.
  const SeqWords* keep(const Bucket& bucket, const Query& query, std::size_t sketch_words,
                       SeqWords seqs);

 private:
  void on_tombstone(const Tombstone&) override { stale_ = true; }

  // What a bucket is told by: its namespace, and a sketch that has its values.
  struct Entry {
    std::string name_space;
    std::vector<std::uint64_t> sketch;
    SeqWords seqs;
  };
  struct Hash {
    std::size_t operator()(const Bucket& bucket) const { return bucket.key ^ bucket.band; }
  };

  const SketchComparer& comparer_;
  const Tombstones& tombstones_;
  bool stale_ = false;     // a document has ended since the entries were made
  std::size_t words_ = 0;  // of 8 bytes, in the entries
  std::unordered_map<Bucket, Entry, Hash> entries_;
};

}  // namespace neardup
