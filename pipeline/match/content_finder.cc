#include "pipeline/match/content_finder.h"

#include <algorithm>

namespace neardup {
namespace {

// A walk that passes at least this many stored documents saves a cursor.
constexpr std::size_t kManyPassed = 16;
constexpr std::size_t kMostCursors = 1 << 14;

}  // namespace

const DocumentRow* ContentFinder::find(const SketchedBatch& chunk, std::size_t i) {
  const DocumentRow* found = nullptr;
  visit_rows(chunk, i, [&](const DocumentRow& row) {
    found = &row;
    return false;
  });
  return found;
}

void ContentFinder::find_oldest(const SketchedBatch& chunk, std::size_t i, std::size_t limit,
                                std::vector<const DocumentRow*>& rows) {
  rows.clear();
  visit_rows(chunk, i, [&](const DocumentRow& row) {
    rows.push_back(&row);
    return rows.size() < limit;
  });
}

// Calls visit(row) for the live documents with the content, oldest first, until it returns false.
template <class Visit>
void ContentFinder::visit_rows(const SketchedBatch& chunk, std::size_t i, Visit visit) {
  const std::string& name_space = chunk.records[i].name_space;
  const Bucket bucket = content_bucket(chunk.content[i], name_space);
  bool found = false;
  std::size_t stored = 0;  // postings of the store that were passed
  Seq last = passed(bucket, chunk, i);
  walk(bucket, lookup_.content(i), last, [&](Seq seq) {
    const DocumentRow* row = live_.find(seq, name_space);
    const bool is_same = row != nullptr && row->content == chunk.content[i];
    found = found || is_same;
    if (!found && !pending_.holds(seq)) {
      last = seq;
      ++stored;
    }
    return !is_same || visit(*row);
  });
  if (stored >= kManyPassed) {
    if (cursors_.size() >= kMostCursors) cursors_.clear();
    cursors_[bucket.key] = {chunk.content[i], name_space, last};
  }
}

// Calls visit(seq) for every posting of a bucket behind `passed`, oldest first, until it returns
// false: the list that was read first, what the store has beyond it, then the batch's own.
template <class Visit>
void ContentFinder::walk(const Bucket& bucket, const BucketSeqs& first, Seq passed, Visit visit) {
  BucketSeqs list = first;
  while (true) {
    for (const Seq seq : list.seqs) {
      if (seq > passed && !visit(seq)) return;
    }
    if (!list.more) break;
    list = lookup_.postings(bucket, std::max(passed, list.last()));
  }
  pending_.visit_bucket(bucket, [&](const Candidate& pending) { return visit(pending.seq); });
}

Seq ContentFinder::passed(const Bucket& bucket, const SketchedBatch& chunk, std::size_t i) const {
  const auto cursor = cursors_.find(bucket.key);
  if (cursor == cursors_.end()) return 0;
  const auto& [content, name_space, passed] = cursor->second;
  const bool same = content == chunk.content[i] && name_space == chunk.records[i].name_space;
  return same ? passed : 0;
}

}  // namespace neardup
