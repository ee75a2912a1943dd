#include "pipeline/candidates.h"

#include <algorithm>

namespace neardup {

// Calls visit(seq) for every posting of a bucket, oldest first, until it returns false: the list at
// hand, what the store has beyond it, then the batch's own.
template <class Visit>
void Candidates::walk(const Bucket& bucket, const PostingList& first, Visit visit) {
  PostingList list = first;
  while (true) {
    for (Seq seq : list.seqs) {
      if (!visit(seq)) return;
    }
    if (!list.more) break;
    list = look_up_.go_on(bucket, list.seqs.back());
  }
  pending_.visit_bucket(bucket, visit);
}

const DocumentRow* Candidates::live(Seq seq, std::string_view name_space) {
  const DocumentRow* row = nullptr;
  if (const DocumentPut* put = pending_.document(seq)) {
    row = &put->row;
  } else if (!pending_.ended(seq)) {
    row = look_up_.rows().get(seq);
  }
  return row != nullptr && row->name_space == name_space ? row : nullptr;
}

const DocumentRow* Candidates::same_content(const SketchedBatch& chunk, std::size_t i) {
  const Bucket bucket = content_bucket(chunk.content[i]);
  const DocumentRow* found = nullptr;
  walk(bucket, look_up_.content(i), [&](Seq seq) {
    const DocumentRow* row = live(seq, chunk.records[i].name_space);
    if (row != nullptr && row->content == chunk.content[i]) found = row;
    return found == nullptr;
  });
  return found;
}

const std::vector<const DocumentRow*>& Candidates::near(const SketchedBatch& chunk, std::size_t i,
                                                        const Query& query) {
  nominated_.clear();
  for (std::uint32_t m = 0; m < bands_; ++m) {
    nominate(look_up_.band(i, m),
             {static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]}, query);
  }
  std::sort(nominated_.begin(), nominated_.end());
  nominated_.erase(std::unique(nominated_.begin(), nominated_.end()), nominated_.end());
  rows_.clear();
  for (Seq seq : nominated_) {
    const DocumentRow* row = live(seq, query.name_space);
    if (row != nullptr && !row->sketch.empty()) rows_.push_back(row);
  }
  return rows_;
}

void Candidates::nominate(const PostingList& list, const Bucket& bucket, const Query& query) {
  if (list.more || list.seqs.size() + pending_.bucket_size(bucket) > cap_) {
    nominate_capped(list, bucket, query);
    return;
  }
  nominated_.insert(nominated_.end(), list.seqs.begin(), list.seqs.end());
  pending_.visit_bucket(bucket, [&](Seq seq) {
    nominated_.push_back(seq);
    return true;
  });
}

void Candidates::nominate_capped(const PostingList& list, const Bucket& bucket,
                                 const Query& query) {
  std::uint32_t counted = 0;
  walk(bucket, list, [&](Seq seq) {
    const DocumentRow* row = live(seq, query.name_space);
    if (row == nullptr || row->sketch.empty()) return true;
    if (!comparer_.band_equal(query.sketch, row->sketch.data(), bucket.band)) return true;
    if (counted == cap_) {
      ++caps_hit_;
      return false;
    }
    nominated_.push_back(seq);
    ++counted;
    return true;
  });
}

}  // namespace neardup
