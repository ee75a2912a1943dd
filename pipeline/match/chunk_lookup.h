// Reads from the store, in bulk, all ids and buckets that a chunk needs, before the first of its
// records is decided. The results are as of the last commit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/model/sketched_batch.h"
#include "storage/store.h"

namespace neardup {

// Seqs of one bucket, oldest first.
struct BucketSeqs {
  std::span<const Seq> seqs;
  bool more = false;  // the bucket may hold later ones, too
  Seq last() const { return seqs.empty() ? 0 : seqs.back(); }
};

class ChunkLookup {
 public:
  // `cap`: how many postings of a bucket are read at first. Buckets that `capped_buckets` knows to
  // be full are not read at all. The references must outlive this.
  ChunkLookup(Store& store, std::uint32_t bands, std::uint32_t cap,
              CappedBucketCache& capped_buckets)
      : store_(store), bands_(bands), cap_(cap), capped_buckets_(capped_buckets) {}

  // Reads, for every document of the chunk, its id, its content bucket and the buckets of its
  // bands, and for every delete record its id.
  void run(const SketchedBatch& chunk);

  // The results for record i of the last run.
  const IdKey& key(std::size_t i) const { return keys_[i]; }
  const std::optional<IdRow>& id(std::size_t i) const { return ids_[i]; }
  // Requires: record i is a document.
  BucketSeqs content(std::size_t i) const { return list(first_list_[i]); }
  // Requires: record i is a document with a sketch.
  BucketSeqs band(std::size_t i, std::uint32_t m) const { return list(first_list_[i] + 1 + m); }

  // All seqs of these lists.
  std::span<const Seq> listed() const { return lists_.all(); }

  // Single reads of keys that the last run did not cover. `postings` returns those after seq
  // `after`, at most `cap`, valid until the next call.
  std::optional<IdRow> id(const IdKey& key);
  BucketSeqs postings(const Bucket& bucket, Seq after);
  // Null: the store does not hold it in memory.
  const std::uint64_t* one_bit(Seq seq) const { return store_.one_bit(seq); }

  // Postings read since the start.
  std::uint64_t postings_read() const { return postings_read_; }

 private:
  // Of a list: the bucket is full and was not read.
  static constexpr std::uint32_t kNotRead = ~std::uint32_t{0};

  void look_up_ids(const SketchedBatch& chunk);
  void look_up_buckets(const SketchedBatch& chunk);
  void ask_for_bands(const SketchedBatch& chunk, std::size_t i);
  void ask_for(const Bucket& bucket) {
    list_of_.push_back(static_cast<std::uint32_t>(buckets_.size()));
    buckets_.push_back(bucket);
  }
  BucketSeqs list(std::size_t at) const {
    const std::uint32_t number = list_of_[at];
    return number == kNotRead ? BucketSeqs{{}, true}
                              : BucketSeqs{lists_.seqs(number), lists_.more(number)};
  }

  Store& store_;
  std::uint32_t bands_;
  std::uint32_t cap_;
  CappedBucketCache& capped_buckets_;
  std::vector<IdKey> keys_;
  std::vector<std::optional<IdRow>> ids_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> first_list_;  // of each record: its content bucket, in list_of_
  std::vector<std::uint32_t> list_of_;   // of each bucket of a record: in lists_, or kNotRead
  PostingLists lists_;
  PostingLists next_;
  std::uint64_t postings_read_ = 0;
};

}  // namespace neardup
