// The pipeline's use of a store, without preparation and delivery: look-ups in chunks, a simple
// decision, one commit a batch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/synthetic.h"
#include "gpu/cpu/compare.h"
#include "pipeline/local_documents.h"
#include "pipeline/match/pending.h"
#include "pipeline/match/row_cache.h"
#include "pipeline/match/sketch_cache.h"
#include "pipeline/retention/tombstones.h"
#include "pipeline/rule/rule.h"
#include "storage/memory_plan.h"
#include "storage/store.h"

namespace neardup::bench {

struct IndexCounts {
  std::uint64_t documents = 0;
  std::uint64_t kept = 0;
  std::uint64_t candidates = 0;  // documents that share a bucket, as the store says
  std::uint64_t passed = 0;      // of those: passed the 1-bit filter, so their rows are read
  std::uint64_t no_band = 0;     // copies that share no bucket with their original
  std::uint64_t missed = 0;      // copies that share one, but whose original was not found
  std::uint64_t wrong = 0;       // a document was found that is not the original
  double make_cpu_seconds = 0;   // spent on making documents
  double commit_seconds = 0;
};

class IndexRun {
 public:
  // Continues after the last document in the store. Throws Failure(kConfig) when the store was
  // filled with other options.
  IndexRun(const SyntheticOptions& options, std::uint64_t memory, Store& store);

  // Looks up, decides and stores the next batch, `most` documents at most. Returns seconds.
  double run_batch(std::uint64_t most);

  // Looks up the next chunk and stores nothing.
  void look_up_chunk();

  // Documents that the state has seen, and those of them that were kept.
  std::uint64_t documents() const { return next_; }
  std::uint64_t kept() const { return kept_before_ + counts_.kept; }
  const IndexCounts& counts() const { return counts_; }

 private:
  IndexRun(const SyntheticOptions& options, const MemoryPlan& memory, Store& store);
  void decide(std::uint32_t count);
  std::uint32_t left_in_batch() const;
  void judge(std::uint64_t number, std::size_t i, const std::optional<Original>& found);
  void store(std::uint64_t number, std::size_t i, const std::optional<Original>& found);
  bool shares_band(std::size_t i, std::uint64_t original) const;

  SyntheticDocuments documents_;
  Store& store_;
  std::uint32_t batch_;
  std::string options_;  // spelled out
  SketchComparer comparer_;
  Tombstones tombstones_;         // empty: no document is deleted here
  Pending pending_{tombstones_};  // empty: copies are of stored documents
  SketchCache sketches_;
  RowCache rows_;
  LocalDocuments known_;
  std::uint64_t next_ = 0;
  std::uint64_t kept_before_ = 0;  // in earlier runs
  SketchedBatch chunk_;
  WriteSet writes_;
  IndexCounts counts_;
};

}  // namespace neardup::bench
