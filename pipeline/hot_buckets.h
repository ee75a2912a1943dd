// Buckets with more live documents than the cap: which ones count. Many documents of a batch ask
// for the same hot buckets, and the answer stays the same until one of those documents ends.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/compare.h"
#include "pipeline/pending.h"
#include "pipeline/verify.h"

namespace neardup {

class HotBuckets {
 public:
  HotBuckets(const SketchComparer& comparer, const Pending& pending)
      : comparer_(comparer), pending_(pending) {}

  // The oldest live documents of a bucket, as many as the cap; null: not known. Valid until `keep`.
  const std::vector<Seq>* find(const Bucket& bucket, const Query& query);

  // `seqs` are the answer for the bucket that the query is in.
  void keep(const Bucket& bucket, const Query& query, std::size_t sketch_words,
            std::vector<Seq> seqs);

 private:
  // What a bucket is told by: its namespace, and a sketch that has its values.
  struct Entry {
    std::string name_space;
    std::vector<std::uint64_t> sketch;
    std::vector<Seq> seqs;
  };
  struct Hash {
    std::size_t operator()(const Bucket& bucket) const { return bucket.key ^ bucket.band; }
  };

  const SketchComparer& comparer_;
  const Pending& pending_;
  std::uint64_t ends_ = 0;  // of pending_, when the entries were made
  std::unordered_map<Bucket, Entry, Hash> entries_;
};

}  // namespace neardup
