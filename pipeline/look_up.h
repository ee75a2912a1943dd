// All questions that a chunk of records puts to the store, asked in bulk before the first one is
// decided. The answers are of the store as it was at the last commit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/core/sketched_batch.h"
#include "pipeline/document_rows.h"
#include "storage/store.h"

namespace neardup {

// The bucket of a content hash.
inline Bucket content_bucket(const Hash128& content) { return {kContentBand, content.low}; }

class LookUp {
 public:
  // `cap`: how many postings of a bucket are fetched at first.
  LookUp(Store& store, std::uint32_t bands, std::uint32_t cap)
      : store_(store), bands_(bands), cap_(cap), rows_(store) {}

  // Asks for every document and delete record of the chunk: its id, its content bucket, its bands,
  // and the rows of all documents that those name.
  void run(const SketchedBatch& chunk);

  // Answers for record i of the last run.
  const IdKey& key(std::size_t i) const { return keys_[i]; }
  const std::optional<IdRow>& id(std::size_t i) const { return ids_[i]; }
  // Requires: record i is a document.
  const PostingList& content(std::size_t i) const { return lists_[first_list_[i]]; }
  // Requires: record i is a document with a sketch.
  const PostingList& band(std::size_t i, std::uint32_t m) const {
    return lists_[first_list_[i] + 1 + m];
  }

  // The seqs of a bucket after `after`, for lists that have `more`.
  const PostingList& go_on(const Bucket& bucket, Seq after);

  DocumentRows& rows() { return rows_; }
  std::uint64_t postings() const { return postings_; }

 private:
  void look_up_ids(const SketchedBatch& chunk);
  void look_up_buckets(const SketchedBatch& chunk);
  void fetch_rows(const SketchedBatch& chunk);

  Store& store_;
  std::uint32_t bands_;
  std::uint32_t cap_;
  DocumentRows rows_;
  std::vector<IdKey> keys_;
  std::vector<std::optional<IdRow>> ids_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> first_list_;
  std::vector<PostingList> lists_;
  std::vector<PostingList> next_;
  std::vector<Seq> wanted_;
  std::uint64_t postings_ = 0;
};

}  // namespace neardup
