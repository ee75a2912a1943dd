// A cache of the oldest live documents of buckets that may hold more documents than the cap.
//
// An entry is a cursor over a bucket in the order of seqs. Each document up to `judged` has been
// looked at once: it is among the oldest, is the next one, or never counts again. A document that
// is replaced, deleted or forgotten leaves the entries that hold it, and the cursor moves on as far
// as the cap needs. So the work for a bucket is proportional to the documents that it ever held,
// and not to their number times that of the documents that look it up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/match/seq_bitmap.h"
#include "pipeline/model/query.h"
#include "pipeline/retention/tombstones.h"
#include "storage/store.h"

namespace neardup {

// The known part of one bucket.
struct CappedBucket {
  Bucket bucket;
  // They distinguish the bucket from others with the same key: its namespace, and a sketch that has
  // the values of the band.
  std::string name_space;
  std::vector<std::uint64_t> sketch;

  SeqBitmap oldest;  // live documents, `count` of them, at most the cap
  std::uint32_t count = 0;
  Seq next = 0;                // the first live document after those; 0: not known
  Seq judged = 0;              // see above
  std::vector<Seq> ahead;      // postings of the store behind `judged`, not judged yet
  std::size_t ahead_from = 0;  // index into `ahead` of the first that is not judged yet
  bool more = false;           // the store may hold postings behind `ahead`
  std::uint64_t commit = 0;    // the commit as of which the store was asked
};

class CappedBucketCache : private TombstoneListener {
 public:
  CappedBucketCache(const SketchComparer& comparer, std::uint32_t cap, Tombstones& tombstones)
      : comparer_(comparer), cap_(cap), tombstones_(tombstones) {
    tombstones.listen(*this);
  }

  // To be called before each document, while no entry is in use: drops all entries when they take
  // too much memory.
  void limit();

  // The entry of the bucket that `query` is in; null: there is none. Valid until `limit`, and until
  // `make` for the same bucket. Its oldest documents are live.
  CappedBucket* find(const Bucket& bucket, const Query& query);
  // Is the bucket known to have more live documents than the cap? Then its postings need not be
  // read. Several threads may ask at once.
  bool is_full(const Bucket& bucket, const Query& query) const;

  // Makes an entry, which replaces an older one. `stored`: the first postings of the store; `more`:
  // there may be others behind them.
  CappedBucket& make(const Bucket& bucket, const Query& query, std::span<const Seq> stored,
                     bool more);

  // Adds the next live document of the bucket, behind `judged`. Requires: `next` is 0.
  void add(CappedBucket& entry, Seq seq);

  // To be called before more postings are read: a commit may have added some since the last read.
  void go_on_reading(CappedBucket& entry) const;

  // The batch is in the store.
  void committed() { ++commits_; }

 private:
  struct Hash {
    std::size_t operator()(const Bucket& bucket) const { return bucket.key ^ bucket.band; }
  };

  void on_tombstone(const Tombstone& tombstone) override;
  const CappedBucket* held(const Bucket& bucket, const Query& query) const;
  void remove(CappedBucket& entry, Seq seq);
  void drop_expired(CappedBucket& entry);
  void unlist(const CappedBucket& entry, Seq seq);
  void drop(CappedBucket& entry);

  const SketchComparer& comparer_;
  std::uint32_t cap_;
  const Tombstones& tombstones_;
  std::uint64_t commits_ = 0;
  std::size_t words_ = 0;  // of 8 bytes, in the entries and lists
  std::unordered_map<Bucket, CappedBucket, Hash> entries_;
  std::unordered_map<Seq, std::vector<Bucket>> holders_;  // the entries that hold a document
};

}  // namespace neardup
