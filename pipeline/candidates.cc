#include "pipeline/candidates.h"

#include <algorithm>

namespace neardup {

// Calls visit(seq) for every posting of a bucket, oldest first, until it returns false: the list at
// hand, what the store has beyond it, then the batch's own.
template <class Visit>
void Candidates::walk(const Bucket& bucket, const BucketSeqs& first, Visit visit) {
  BucketSeqs list = first;
  while (true) {
    for (Seq seq : list.seqs) {
      if (!visit(seq)) return;
    }
    if (!list.more) break;
    list = look_up_.go_on(bucket, list.seqs.back());
  }
  pending_.visit_bucket(bucket, [&](const DocumentPut& put) { return visit(put.row.seq); });
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
  const std::span<const Seq> stored = look_up_.nominated(i);
  sieve_.clear();
  counted_sieve_.clear();
  nominated_.clear();
  counted_.clear();
  free_.clear();
  for (std::uint32_t m = 0; m < bands_; ++m) {
    nominate(look_up_.band(i, m),
             {static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]}, query);
  }
  std::sort(counted_.begin(), counted_.end());
  for (const Seq seq : stored) {
    if (sieve_.add(seq)) nominated_.push_back(seq);
  }
  std::sort(nominated_.begin(), nominated_.end());
  rows_.clear();
  for (const Seq seq : nominated_) {
    if (!passes_filter(seq, query, stored)) continue;
    if (const DocumentRow* row = accept(seq, query)) rows_.push_back(row);
  }
  return rows_;
}

// What the batch put into a bucket; all of the bucket where the cap may bite.
void Candidates::nominate(const BucketSeqs& list, const Bucket& bucket, const Query& query) {
  const std::size_t pending = pending_.bucket_size(bucket);
  if (list.more || list.seqs.size() + pending > cap_) {
    nominate_capped(list, bucket, query);
    return;
  }
  free_.push_back(bucket.band);
  if (pending == 0) return;
  pending_.visit_bucket(bucket, [&](const DocumentPut& put) {
    if (sieve_.add(put.row.seq)) nominated_.push_back(put.row.seq);
    return true;
  });
}

void Candidates::nominate_capped(const BucketSeqs& list, const Bucket& bucket, const Query& query) {
  const auto take = [this](const std::vector<Seq>& seqs) {
    for (const Seq seq : seqs) {
      if (counted_sieve_.add(seq)) counted_.push_back(seq);
      if (sieve_.add(seq)) nominated_.push_back(seq);
    }
  };
  if (const std::vector<Seq>* known = hot_.find(bucket, query)) {
    ++caps_hit_;
    take(*known);
    return;
  }
  take(oldest_of(list, bucket, query));
}

// The oldest live documents of a bucket, at most as many as the cap.
std::vector<Seq> Candidates::oldest_of(const BucketSeqs& list, const Bucket& bucket,
                                       const Query& query) {
  std::vector<Seq> oldest;
  bool hot = false;
  walk(bucket, list, [&](Seq seq) {
    const DocumentRow* row = live(seq, query.name_space);
    if (row == nullptr || row->sketch.empty()) return true;
    if (!comparer_.band_equal(query.sketch, row->sketch.data(), bucket.band)) return true;
    hot = oldest.size() == cap_;
    if (!hot) oldest.push_back(seq);
    return !hot;
  });
  if (hot) {
    ++caps_hit_;
    hot_.keep(bucket, query, sketch_words_, oldest);
  }
  return oldest;
}

// `passed`: those of the store that the filter let through in bulk.
bool Candidates::passes_filter(Seq seq, const Query& query, std::span<const Seq> passed) {
  if (std::binary_search(passed.begin(), passed.end(), seq)) return true;
  const DocumentPut* put = pending_.document(seq);
  return filter_.may_pass(query.one_bit,
                          put != nullptr ? put->index.one_bit.data() : store_.one_bit(seq));
}

// The row of a nominated document, unless it is gone or in none of the buckets that may name it:
// those are known by a few bits of their hashes only.
const DocumentRow* Candidates::accept(Seq seq, const Query& query) {
  const DocumentRow* row = live(seq, query.name_space);
  if (row == nullptr || row->sketch.empty()) return nullptr;
  const auto shares = [&](std::uint32_t band) {
    return comparer_.band_equal(query.sketch, row->sketch.data(), band);
  };
  const bool named = std::binary_search(counted_.begin(), counted_.end(), seq) ||
                     std::any_of(free_.begin(), free_.end(), shares);
  return named ? row : nullptr;
}

}  // namespace neardup
