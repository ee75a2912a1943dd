// Buckets with more live documents than the cap: which ones count. Many documents of a batch ask
// for the same hot buckets, and the answer stays the same until one of those documents ends.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/compare.h"
#include "pipeline/pending.h"
#include "pipeline/query.h"
#include "pipeline/seq_words.h"

namespace neardup {

class HotBuckets {
 public:
  HotBuckets(const SketchComparer& comparer, const Pending& pending)
      : comparer_(comparer), pending_(pending) {}

  // To be called before each document: forgets what may no longer be so.
  void refresh();

  // The oldest live documents of a bucket, as many as the cap; null: not known. Valid until
  // `refresh`, or `keep` for the same bucket.
  const SeqWords* find(const Bucket& bucket, const Query& query);

  // `seqs` are the answer for the bucket that the query is in.
  const SeqWords* keep(const Bucket& bucket, const Query& query, std::size_t sketch_words,
                       SeqWords seqs);

 private:
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
  const Pending& pending_;
  std::uint64_t ends_ = 0;  // of pending_, when the entries were made
  std::size_t words_ = 0;   // of 8 bytes, in the entries
  std::unordered_map<Bucket, Entry, Hash> entries_;
};

}  // namespace neardup
