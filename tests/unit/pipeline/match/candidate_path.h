// Everything that finds candidates, over a store in memory and a batch: documents 1, 2, 3 … of the
// same values or others.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "pipeline/match/candidate_finder.h"
#include "pipeline/match/content_finder.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup {

class CandidatePath : public testing::Test {
 protected:
  // `need`: the count of equal values that the prefilter asks for.
  CandidatePath(std::uint32_t need, std::uint32_t cap)
      : store_(open_memory_store({}, OpenMode::kReadWrite)),
        cap_(cap),
        prefilter_(comparer_, need) {}

  DocumentPut put(Seq seq, std::string_view values) {
    const SketchedBatch batch = BatchMaker(rule_).document("d", values, "text").take();
    DocumentPut put;
    put.row.seq = seq;
    put.row.content = batch.content[0];
    put.row.sketch = batch.rows.sketches;
    put.index = {batch.rows.band_keys, batch.rows.one_bits};
    return put;
  }

  void store(Seq seq, std::string_view values) { store(put(seq, values)); }
  void store(const DocumentPut& put) {
    WriteSet writes;
    writes.documents.push_back(put);
    writes.ids.emplace_back(IdKey{"", std::to_string(put.row.seq)}, IdRow{.seq = put.row.seq});
    store_->commit(writes);
  }
  // Its postings stay.
  void forget_row(Seq seq) {
    WriteSet writes;
    writes.erase_documents = {seq};
    writes.erase_ids = {{{"", std::to_string(seq)}, {.seq = seq}}};
    store_->commit(writes);
  }
  void end(Seq seq) { tombstones_.add({.seq = seq}); }
  void add(Seq seq, std::string_view values) { pending_.add(put(seq, values)); }

  SketchedBatch asked(std::string_view values, const std::string& name_space = "") {
    return BatchMaker(rule_).document("query", values, "text", name_space).take();
  }

  // Looks up a chunk, and selects it.
  void look_up(const SketchedBatch& chunk) {
    const SketchedBatch* const one = &chunk;
    parts_.assign({&one, 1});
    lookup_.run(parts_);
    buckets_.locate(parts_);
  }

  Rule rule_ = small_rule();
  std::unique_ptr<Store> store_;
  std::uint32_t cap_;
  Tombstones tombstones_;
  Pending pending_{tombstones_};
  SketchComparer comparer_{rule_.plan.shape(), {}};
  Prefilter prefilter_;
  SketchCache sketches_{2, 0};
  RowCache rows_{*store_, sketches_, tombstones_, 1 << 20};
  LiveRows live_{pending_, tombstones_, rows_};
  CappedBucketCache cache_{comparer_, cap_, tombstones_};
  Team team_{3};
  ChunkParts parts_;
  ChunkLookup lookup_{*store_, 4, cap_, cache_, team_};
  ContentFinder content_{lookup_, pending_, live_};
  CappedBuckets capped_buckets_{comparer_, lookup_, pending_, live_, rows_, cache_};
  GroupBuckets buckets_{4, pending_, team_};
  CandidateFinder finder_{4,         cap_,       lookup_, pending_, buckets_, capped_buckets_,
                          sketches_, prefilter_, team_};
};

}  // namespace neardup
