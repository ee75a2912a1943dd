// Reads from the store, in bulk, all ids and buckets that some chunks need, before the first of
// their records is decided. The results are as of the last commit. They are read in parts, by all
// threads of a team.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pipeline/base/team.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/chunk_parts.h"
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
              CappedBucketCache& capped_buckets, Team& team)
      : store_(store), bands_(bands), cap_(cap), capped_buckets_(capped_buckets), team_(team) {}

  // Reads, for every document of the parts, its id, its content bucket and the buckets of its
  // bands, and for every delete record its id.
  void run(const ChunkParts& parts);
  // What follows is about the chunk whose first part has this number.
  void select(std::size_t first_part) { first_part_ = first_part; }

  // The results for record i of the selected chunk.
  const IdKey& key(std::size_t i) const { return found(i).keys[i % ChunkPart::kRecords]; }
  const std::optional<IdRow>& id(std::size_t i) const {
    return found(i).ids[i % ChunkPart::kRecords];
  }
  // Requires: record i is a document.
  BucketSeqs content(std::size_t i) const { return found(i).list(i % ChunkPart::kRecords, 0); }
  // Requires: record i is a document with a sketch.
  BucketSeqs band(std::size_t i, std::uint32_t m) const {
    return band_of(number_of(i), i % ChunkPart::kRecords, m);
  }
  // The same for record `at` of part `number`.
  BucketSeqs band_of(std::size_t number, std::size_t at, std::uint32_t m) const {
    return found_[number].list(at, 1 + m);
  }

  // Appends all seqs that the last run has read.
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
    BucketSeqs list(std::size_t at, std::size_t which) const {
      const std::uint32_t number = list_of[first_list[at] + which];
      return number == kNotRead ? BucketSeqs{{}, true}
                                : BucketSeqs{lists.seqs(number), lists.more(number)};
    }
  };

  void look_up_ids(const ChunkPart& part, Found& found);
  void look_up_buckets(const ChunkPart& part, Found& found);
  void ask_for_bands(const SketchedBatch& chunk, std::size_t i, Found& found);
  std::size_t number_of(std::size_t i) const { return first_part_ + i / ChunkPart::kRecords; }
  const Found& found(std::size_t i) const { return found_[number_of(i)]; }

  Store& store_;
  std::uint32_t bands_;
  std::uint32_t cap_;
  CappedBucketCache& capped_buckets_;
  Team& team_;
  std::vector<Found> found_;  // of each part
  std::size_t parts_ = 0;     // of the last run; the others of found_ keep their memory
  std::size_t first_part_ = 0;
  PostingLists next_;
  std::uint64_t postings_read_ = 0;
};

}  // namespace neardup
