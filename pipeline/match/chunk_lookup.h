// Reads from the store, in bulk, all ids and buckets that a chunk needs, before the first of its
// records is decided. The results are as of the last commit. A chunk is read in parts, by all
// threads of a team.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/base/team.h"
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

// Records [begin, end) of a chunk, which one thread looks up.
struct ChunkPart {
  static constexpr std::size_t kRecords = 256;  // the last has less

  static std::size_t count(std::size_t records) { return (records + kRecords - 1) / kRecords; }
  ChunkPart(std::size_t number, std::size_t records)
      : begin(number * kRecords), end(std::min(records, begin + kRecords)) {}

  std::size_t begin;
  std::size_t end;
};

class ChunkLookup {
 public:
  // `cap`: how many postings of a bucket are read at first. Buckets that `capped_buckets` knows to
  // be full are not read at all. The references must outlive this.
  ChunkLookup(Store& store, std::uint32_t bands, std::uint32_t cap,
              CappedBucketCache& capped_buckets, Team& team)
      : store_(store), bands_(bands), cap_(cap), capped_buckets_(capped_buckets), team_(team) {}

  // Reads, for every document of the chunk, its id, its content bucket and the buckets of its
  // bands, and for every delete record its id.
  void run(const SketchedBatch& chunk);

  // The results for record i of the last run.
  const IdKey& key(std::size_t i) const { return found(i).keys[i % ChunkPart::kRecords]; }
  const std::optional<IdRow>& id(std::size_t i) const {
    return found(i).ids[i % ChunkPart::kRecords];
  }
  // Requires: record i is a document.
  BucketSeqs content(std::size_t i) const { return list(i, 0); }
  // Requires: record i is a document with a sketch.
  BucketSeqs band(std::size_t i, std::uint32_t m) const { return list(i, 1 + m); }

  // Appends all seqs of these lists.
  void append_listed(std::vector<Seq>& seqs) const;

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

  // What was found for the records of a part.
  struct Found {
    std::vector<IdKey> keys;
    std::vector<std::optional<IdRow>> ids;
    std::vector<Bucket> buckets;
    std::vector<std::size_t> first_list;  // of each record: its content bucket, in list_of
    std::vector<std::uint32_t> list_of;   // of each bucket of a record: in lists, or kNotRead
    PostingLists lists;

    void ask_for(const Bucket& bucket) {
      list_of.push_back(static_cast<std::uint32_t>(buckets.size()));
      buckets.push_back(bucket);
    }
  };

  void look_up_ids(const SketchedBatch& chunk, const ChunkPart& part, Found& found);
  void look_up_buckets(const SketchedBatch& chunk, const ChunkPart& part, Found& found);
  void ask_for_bands(const SketchedBatch& chunk, std::size_t i, Found& found);
  const Found& found(std::size_t i) const { return found_[i / ChunkPart::kRecords]; }
  BucketSeqs list(std::size_t i, std::size_t which) const {
    const Found& part = found(i);
    const std::uint32_t number = part.list_of[part.first_list[i % ChunkPart::kRecords] + which];
    return number == kNotRead ? BucketSeqs{{}, true}
                              : BucketSeqs{part.lists.seqs(number), part.lists.more(number)};
  }

  Store& store_;
  std::uint32_t bands_;
  std::uint32_t cap_;
  CappedBucketCache& capped_buckets_;
  Team& team_;
  std::vector<Found> found_;  // of each part
  std::size_t parts_ = 0;     // of the last run; the others of found_ keep their memory
  PostingLists next_;
  std::uint64_t postings_read_ = 0;
};

}  // namespace neardup
