// What the pipeline does with a store, without what comes before and after it: look-ups in chunks,
// a simple decision, one commit a batch.
#pragma once

#include <cstdint>
#include <string>

#include "bench/synthetic.h"
#include "gpu/compare.h"
#include "pipeline/match/capped_bucket_cache.h"
#include "pipeline/match/chunk_lookup.h"
#include "pipeline/match/one_bit_filter.h"
#include "pipeline/match/pending.h"
#include "storage/store.h"

namespace neardup::bench {

struct IndexTally {
  std::uint64_t documents = 0;
  std::uint64_t kept = 0;
  std::uint64_t candidates = 0;  // documents that share a bucket, as the store says
  std::uint64_t passed = 0;      // of those: by the 1-bit filter, so that a row is asked for
  std::uint64_t no_band = 0;     // copies that share no bucket with their original
  std::uint64_t missed = 0;      // copies that do, and whose original was not found all the same
  std::uint64_t wrong = 0;       // another document was found than should be
  double make_cpu_seconds = 0;   // spent on making documents
  double commit_seconds = 0;
};

class IndexRun {
 public:
  // Goes on behind the last document in the store. Throws Failure(kConfig) when the store was
  // filled with other options.
  IndexRun(const SyntheticOptions& options, std::uint64_t memory, Store& store);

  // Looks up, decides and stores the next batch, `most` documents at most. Returns seconds.
  double run_batch(std::uint64_t most);

  // Looks up the next chunk and stores nothing.
  void look_up_chunk();

  // In the store: looked at, and kept of those.
  std::uint64_t documents() const { return next_; }
  std::uint64_t kept() const { return kept_before_ + tally_.kept; }
  const IndexTally& tally() const { return tally_; }

 private:
  struct Found {
    Seq original = 0;  // 0: none
    std::uint32_t count = 0;
  };
  void decide(std::uint32_t count);
  std::uint32_t left_in_batch() const;
  Found best(std::size_t i);
  void judge(std::uint64_t number, std::size_t i, Seq found);
  void store(std::uint64_t number, std::size_t i, const Found& found);
  bool shares_band(std::size_t i, std::uint64_t original) const;
  const std::uint64_t* sketch(std::size_t i) const {
    return chunk_.rows.sketches.data() + i * documents_.plan().shape().sketch_words();
  }

  SyntheticDocuments documents_;
  Store& store_;
  std::uint32_t batch_;
  std::string options_;  // spelled out
  SketchComparer comparer_;
  std::uint32_t need_;  // equal values of a copy and its original
  OneBitFilter filter_;
  Tombstones tombstones_;  // none: no document ends here
  CappedBucketCache capped_buckets_;
  LookUp look_up_;
  std::uint64_t next_ = 0;
  std::uint64_t kept_before_ = 0;  // this run
  SketchedBatch chunk_;
  WriteSet writes_;
  IndexTally tally_;
};

}  // namespace neardup::bench
