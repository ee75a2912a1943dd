#include "pipeline/match/candidate_finder.h"

#include <algorithm>

#include "storage/prefetch.h"

namespace neardup {
namespace {

// A walk that passes so many stored documents that do not count leaves a cursor behind.
constexpr std::size_t kManyPassed = 16;
constexpr std::size_t kMostCursors = 1 << 14;

}  // namespace

// Calls visit(seq) for every posting of a bucket behind `passed`, oldest first, until it returns
// false: the list at hand, what the store has beyond it, then the batch's own.
template <class Visit>
void Candidates::walk(const Bucket& bucket, const BucketSeqs& first, Seq passed, Visit visit) {
  BucketSeqs list = first;
  while (true) {
    for (Seq seq : list.seqs) {
      if (seq > passed && !visit(seq)) return;
    }
    if (!list.more) break;
    list = look_up_.go_on(bucket, std::max(passed, list.last()));
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
  const Bucket bucket = content_bucket(chunk.content[i], chunk.records[i].name_space);
  const DocumentRow* found = nullptr;
  std::size_t stored = 0;  // postings of the store that do not count
  Seq last = passed(bucket, chunk, i);
  walk(bucket, look_up_.content(i), last, [&](Seq seq) {
    const DocumentRow* row = live(seq, chunk.records[i].name_space);
    if (row != nullptr && row->content == chunk.content[i]) found = row;
    if (found == nullptr && !pending_.holds(seq)) {
      last = seq;
      ++stored;
    }
    return found == nullptr;
  });
  if (stored >= kManyPassed) {
    if (content_cursors_.size() >= kMostCursors) content_cursors_.clear();
    content_cursors_[bucket.key] = {chunk.content[i], chunk.records[i].name_space, last};
  }
  return found;
}

Seq Candidates::passed(const Bucket& bucket, const SketchedBatch& chunk, std::size_t i) const {
  const auto cursor = content_cursors_.find(bucket.key);
  if (cursor == content_cursors_.end()) return 0;
  const auto& [content, name_space, passed] = cursor->second;
  const bool same = content == chunk.content[i] && name_space == chunk.records[i].name_space;
  return same ? passed : 0;
}

std::span<const Nominee> Candidates::near(const SketchedBatch& chunk, std::size_t i,
                                          const Query& query) {
  capped_buckets_.limit();
  look_up_.rows().limit();
  sieve_.clear();
  found_.clear();
  oldest_.clear();
  free_.clear();
  capped_.clear();
  const std::span<const Nominee> stored = look_up_.nominated(i);
  nominees_.assign(stored.begin(), stored.end());
  for (const Nominee& nominee : nominees_) sieve_.add(nominee.seq);
  const auto bucket = [&](std::uint32_t m) {
    return Bucket{static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]};
  };
  for (std::uint32_t m = 0; m < bands_; ++m) prefetch(pending_.address(bucket(m)));
  for (std::uint32_t m = 0; m < bands_; ++m) nominate(look_up_.band(i, m), bucket(m), query);
  std::size_t next = found_.size();
  found_.resize(next + oldest_.size());
  for (const Seq seq : oldest_) found_[next++] = candidate(seq);
  look_up_.nominator().nominate({query.sketch, query.one_bit}, found_, nominees_);
  return nominees_;
}

Candidate Candidates::candidate(Seq seq) {
  if (const std::uint64_t* sketch = look_up_.sketches().find(seq)) return {seq, nullptr, sketch};
  const Candidate* pending = pending_.candidate(seq);
  return pending != nullptr ? *pending : look_up_.candidate(seq);
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
  CappedBucket& entry = capped_bucket(list, bucket, query);
  judge_further(entry, query);
  if (entry.next != 0) ++caps_hit_;
  capped_.push_back(&entry.oldest);
  for (const SeqWord& word : entry.oldest) {
    for_each_seq({word.word, sieve_.add(word)}, [&](Seq seq) {
      oldest_.push_back(seq);
      prefetch(look_up_.sketches().address(seq));
    });
  }
}

CappedBucket& Candidates::capped_bucket(const BucketSeqs& list, const Bucket& bucket,
                                        const Query& query) {
  if (CappedBucket* known = capped_buckets_.find(bucket, query)) return *known;
  look_up_.fetch_rows(list.seqs);
  return capped_buckets_.make(bucket, query, list.seqs, list.more);
}

// Until one more than the cap is found, or all are judged.
void Candidates::judge_further(CappedBucket& entry, const Query& query) {
  if (entry.next != 0) return;
  capped_buckets_.go_on_reading(entry);
  do {
    while (entry.next == 0 && entry.ahead_from < entry.ahead.size()) {
      judge(entry, entry.ahead[entry.ahead_from++], query);
    }
  } while (entry.next == 0 && read_ahead(entry));
  if (entry.next != 0) return;
  pending_.visit_bucket(entry.bucket, [&](const Candidate& pending) {
    if (pending.seq > entry.judged) judge(entry, pending.seq, query);
    return entry.next == 0;
  });
}

void Candidates::judge(CappedBucket& entry, Seq seq, const Query& query) {
  entry.judged = seq;
  const DocumentRow* row = sketched(seq, query.name_space);
  if (row == nullptr) return;
  if (!comparer_.band_equal(query.sketch, row->sketch.data(), entry.bucket.band)) return;
  capped_buckets_.add(entry, seq);
}

// False: the store has no more.
bool Candidates::read_ahead(CappedBucket& entry) {
  if (!entry.more) return false;
  const BucketSeqs list = look_up_.go_on(entry.bucket, entry.judged);
  entry.ahead.assign(list.seqs.begin(), list.seqs.end());
  entry.ahead_from = 0;
  entry.more = list.more;
  look_up_.fetch_rows(entry.ahead);
  return !entry.ahead.empty();
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
