#include "pipeline/candidates.h"

#include <algorithm>
#include <utility>

#include "storage/prefetch.h"

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
    list = look_up_.go_on(bucket, list);
  }
  pending_.visit_bucket(bucket, [&](const Candidate& pending) { return visit(pending.seq); });
}

const DocumentRow* Candidates::live(Seq seq, std::string_view name_space) {
  const DocumentRow* row = nullptr;
  if (const DocumentPut* put = pending_.document(seq)) {
    row = &put->row;
  } else if (!tombstones_.ended(seq)) {
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
  found_.clear();
  oldest_.clear();
  free_.clear();
  capped_.clear();
  short_.clear();
  const std::span<const Nominee> stored = look_up_.nominated(i);
  nominees_.assign(stored.begin(), stored.end());
  for (const Nominee& nominee : nominees_) sieve_.add(nominee.seq);
  const auto bucket = [&](std::uint32_t m) {
    return Bucket{static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]};
  };
  for (std::uint32_t m = 0; m < bands_; ++m) prefetch(pending_.address(bucket(m)));
  for (std::uint32_t m = 0; m < bands_; ++m) nominate(look_up_.band(i, m), bucket(m), query);
  for (const Seq seq : oldest_) {
    const Candidate* pending = pending_.candidate(seq);
    found_.push_back(pending != nullptr ? *pending : look_up_.candidate(seq));
  }
  look_up_.nominator().nominate({query.sketch, query.one_bit}, found_, nominees_);
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
  pending_.visit_bucket(bucket, [&](const Candidate& candidate) {
    if (sieve_.add(candidate.seq)) found_.push_back(candidate);
    return true;
  });
}

void Candidates::nominate_capped(const BucketSeqs& list, const Bucket& bucket, const Query& query) {
  const SeqWords* known = hot_.find(bucket, query);
  if (known != nullptr) ++caps_hit_;
  capped_.push_back(known != nullptr ? known : &oldest_of(list, bucket, query));
  for (const SeqWord& word : *capped_.back()) {
    for_each_seq({word.word, sieve_.add(word)}, [&](Seq seq) {
      oldest_.push_back(seq);
      prefetch(look_up_.sketches().address(seq));
    });
  }
}

// The oldest live documents of a bucket, at most as many as the cap.
const SeqWords& Candidates::oldest_of(const BucketSeqs& list, const Bucket& bucket,
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
  if (!hot) return short_.emplace_back(words_of(oldest));
  ++caps_hit_;
  return *hot_.keep(bucket, query, sketch_words_, words_of(oldest));
}

// Buckets that may have named it are known by a few bits of their hashes only.
bool Candidates::named(const DocumentRow& row, const Query& query) const {
  const auto shares = [&](std::uint32_t band) {
    return comparer_.band_equal(query.sketch, row.sketch.data(), band);
  };
  const auto counts = [&](const SeqWords* oldest) { return contains(*oldest, row.seq); };
  return std::any_of(free_.begin(), free_.end(), shares) ||
         std::any_of(capped_.begin(), capped_.end(), counts);
}

}  // namespace neardup
