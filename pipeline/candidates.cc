#include "pipeline/candidates.h"

#include <algorithm>
#include <utility>

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

const DocumentRow* Candidates::sketched(Seq seq, std::string_view name_space) {
  const DocumentRow* row = live(seq, name_space);
  return row == nullptr || row->sketch.empty() ? nullptr : row;
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

std::span<const Nominee> Candidates::near(const SketchedBatch& chunk, std::size_t i,
                                          const Query& query) {
  hot_.refresh();
  sieve_.clear();
  free_.clear();
  capped_.clear();
  short_.clear();
  const std::span<const Nominee> stored = look_up_.nominated(i);
  nominees_.assign(stored.begin(), stored.end());
  for (const Nominee& nominee : nominees_) sieve_.add(nominee.seq);
  for (std::uint32_t m = 0; m < bands_; ++m) {
    nominate(look_up_.band(i, m),
             {static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]}, query);
  }
  return nominees_;
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
    if (sieve_.add(put.row.seq)) pass(put.row.seq, put.index.one_bit.data(), query);
    return true;
  });
}

void Candidates::nominate_capped(const BucketSeqs& list, const Bucket& bucket, const Query& query) {
  const std::vector<Seq>* known = hot_.find(bucket, query);
  if (known != nullptr) ++caps_hit_;
  capped_.push_back(known != nullptr ? known : &oldest_of(list, bucket, query));
  for (const Seq seq : *capped_.back()) {
    if (!sieve_.add(seq)) continue;
    const DocumentPut* put = pending_.document(seq);
    pass(seq, put != nullptr ? put->index.one_bit.data() : store_.one_bit(seq), query);
  }
}

void Candidates::pass(Seq seq, const std::uint64_t* one_bit, const Query& query) {
  if (const auto most = filter_.pass(query.one_bit, one_bit)) nominees_.push_back({seq, *most});
}

// The oldest live documents of a bucket, at most as many as the cap.
const std::vector<Seq>& Candidates::oldest_of(const BucketSeqs& list, const Bucket& bucket,
                                              const Query& query) {
  std::vector<Seq> oldest;
  bool hot = false;
  walk(bucket, list, [&](Seq seq) {
    const DocumentRow* row = sketched(seq, query.name_space);
    if (row == nullptr) return true;
    if (!comparer_.band_equal(query.sketch, row->sketch.data(), bucket.band)) return true;
    hot = oldest.size() == cap_;
    if (!hot) oldest.push_back(seq);
    return !hot;
  });
  if (!hot) return short_.emplace_back(std::move(oldest));
  ++caps_hit_;
  return *hot_.keep(bucket, query, sketch_words_, std::move(oldest));
}

// Buckets that may have named it are known by a few bits of their hashes only.
bool Candidates::named(const DocumentRow& row, const Query& query) const {
  const auto shares = [&](std::uint32_t band) {
    return comparer_.band_equal(query.sketch, row.sketch.data(), band);
  };
  const auto counts = [&](const std::vector<Seq>* oldest) {
    return std::binary_search(oldest->begin(), oldest->end(), row.seq);
  };
  return std::any_of(free_.begin(), free_.end(), shares) ||
         std::any_of(capped_.begin(), capped_.end(), counts);
}

}  // namespace neardup
