#include "pipeline/match/candidate_finder.h"

#include <algorithm>
#include <bit>

#include "storage/prefetch.h"

namespace neardup {

bool CandidateList::in_counted_bucket(const SketchComparer& comparer, const Query& query,
                                      const DocumentRow& row) const {
  const auto shares = [&](std::uint32_t band) {
    return comparer.band_equal(query.sketch, row.sketch.data(), band);
  };
  const auto counts = [&](const SeqBitmap* oldest) { return contains(*oldest, row.seq); };
  return std::any_of(uncapped.begin(), uncapped.end(), shares) ||
         std::any_of(capped.begin(), capped.end(), counts);
}

void BucketSizes::add(std::size_t size) {
  const auto width = static_cast<std::size_t>(std::bit_width(size));
  ++by_width[std::min(width, kBucketWidths - 1)];
  sum += size;
}

BucketSizes& BucketSizes::operator+=(const BucketSizes& other) {
  for (std::size_t i = 0; i < kBucketWidths; ++i) by_width[i] += other.by_width[i];
  sum += other.sum;
  return *this;
}

void CandidateFinder::prepare(const ChunkParts& parts) {
  parts_.resize(std::max(parts_.size(), parts.size()));
  team_.share_out(parts.size(), [&](std::size_t number) { prepare(parts[number], number); });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    counts_ += parts_[i].counts;
    bucket_sizes_ += parts_[i].sizes;
  }
}

void CandidateFinder::prepare(const ChunkPart& range, std::size_t number) {
  const SketchedBatch& chunk = *range.chunk;
  Part& part = parts_[number];
  part.scored.clear();
  part.first.assign(1, 0);
  part.has_stored.assign(range.end - range.begin, 0);
  part.counts = {};
  part.sizes = {};
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t at = i - range.begin;
    if (i + 1 < range.end && chunk.has_sketch[i + 1] != 0) prefetch_candidates(number, at + 1);
    if (chunk.has_sketch[i] != 0) {
      const bool all_read = list_stored(number, at);
      part.counts += prefilter_.score(query_of(chunk, i), part.listed, part.scored);
      part.has_stored[at] = !all_read || part.scored.size() != part.first.back();
    }
    part.first.push_back(part.scored.size());
  }
}

void CandidateFinder::prefetch_candidates(std::size_t number, std::size_t at) {
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const BucketSeqs bucket = lookup_.band_of(number, at, m);
    if (bucket.more) continue;
    for (const Seq seq : bucket.seqs) prefetch(sketches_.address(seq));
  }
}

// False: there may be more than is listed.
bool CandidateFinder::list_stored(std::size_t number, std::size_t at) {
  Part& part = parts_[number];
  bool all_read = true;
  part.seen.clear();
  part.listed.clear();
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const BucketSeqs bucket = lookup_.band_of(number, at, m);
    part.sizes.add(bucket.more ? cap_ : bucket.seqs.size());
    all_read = all_read && !bucket.more;
    if (bucket.more) continue;
    for (const Seq seq : bucket.seqs) {
      if (part.seen.add(seq)) part.listed.push_back(candidate(seq));
    }
  }
  return all_read;
}

const CandidateList& CandidateFinder::find(const SketchedBatch& chunk, std::size_t i,
                                           const Query& query) {
  seen_.clear();
  listed_.clear();
  oldest_.clear();
  found_.uncapped.clear();
  found_.capped.clear();
  const std::span<const ScoredCandidate> stored = prepared(i);
  found_.scored.assign(stored.begin(), stored.end());
  for (const ScoredCandidate& candidate : stored) seen_.add(candidate.seq);
  for (std::uint32_t m = 0; m < bands_; ++m) {
    list(lookup_.band(i, m), {static_cast<std::uint16_t>(m), chunk.rows.buckets(i)[m]},
         buckets_.band(i, m), query);
  }
  std::size_t next = listed_.size();
  listed_.resize(next + oldest_.size());
  for (const Seq seq : oldest_) listed_[next++] = candidate(seq);
  counts_ += prefilter_.score(query, listed_, found_.scored);
  return found_;
}

// Lists the documents that the batch has put into the bucket, or the whole bucket where the cap may
// cut it.
void CandidateFinder::list(const BucketSeqs& stored, const Bucket& bucket,
                           const PendingBuckets::At& at, const Query& query) {
  const std::size_t pending = pending_.size_at(at);
  if (stored.more || stored.seqs.size() + pending > cap_) {
    list_capped(stored, bucket, query);
    return;
  }
  found_.uncapped.push_back(bucket.band);
  if (pending == 0) return;
  pending_.visit_at(at, [&](const Candidate& candidate) {
    if (seen_.add(candidate.seq)) listed_.push_back(candidate);
    return true;
  });
}

void CandidateFinder::list_capped(const BucketSeqs& stored, const Bucket& bucket,
                                  const Query& query) {
  const SeqBitmap& oldest = capped_buckets_.members(stored, bucket, query).oldest;
  found_.capped.push_back(&oldest);
  for (const SeqWord& word : oldest) {
    for_each_seq({word.word, seen_.add(word)}, [&](Seq seq) {
      oldest_.push_back(seq);
      prefetch(sketches_.address(seq));
    });
  }
}

Candidate CandidateFinder::candidate(Seq seq) {
  if (const std::uint64_t* sketch = sketches_.find(seq)) return {seq, nullptr, sketch};
  const Candidate* pending = pending_.candidate(seq);
  return pending != nullptr ? *pending : Candidate{seq, lookup_.one_bit(seq), nullptr};
}

}  // namespace neardup
