#include "pipeline/look_up.h"

#include <algorithm>
#include <bit>

namespace neardup {

void LookUp::run(const SketchedBatch& chunk) {
  StageClock clock;
  look_up_ids(chunk);
  look_up_buckets(chunk);
  clock.lap(times_.lookup);
  nominate(chunk);
  clock.lap(times_.filter);
  fetch_rows(chunk);
  clock.lap(times_.lookup);
}

void LookUp::look_up_ids(const SketchedBatch& chunk) {
  keys_.clear();
  for (const Record& record : chunk.records) keys_.push_back({record.name_space, record.id});
  store_.ids(keys_, ids_);
}

void LookUp::look_up_buckets(const SketchedBatch& chunk) {
  buckets_.clear();
  first_list_.clear();
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    first_list_.push_back(buckets_.size());
    if (chunk.records[i].kind != RecordKind::kDocument) continue;
    buckets_.push_back(content_bucket(chunk.content[i]));
    if (chunk.has_sketch[i] == 0) continue;
    for (std::uint32_t m = 0; m < bands_; ++m) {
      buckets_.push_back({static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]});
    }
  }
  store_.postings(buckets_, 0, cap_, lists_);
  postings_ += lists_.all().size();
}

void LookUp::nominate(const SketchedBatch& chunk) {
  const std::size_t words = chunk.size() == 0 ? 0 : chunk.rows.one_bit.size() / chunk.size();
  nominations_.clear();
  first_nomination_.assign(1, 0);
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (chunk.has_sketch[i] != 0) nominate(i, chunk.rows.one_bit.data() + i * words);
    first_nomination_.push_back(nominations_.size());
  }
}

void LookUp::nominate(std::size_t i, const std::uint64_t* one_bit) {
  sieve_.clear();
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const BucketSeqs bucket = band(i, m);
    const auto width = static_cast<std::size_t>(std::bit_width(bucket.seqs.size()));
    ++bucket_sizes_.by_width[std::min(width, kBucketWidths - 1)];
    bucket_sizes_.sum += bucket.seqs.size();
    if (bucket.more) continue;
    for (const Seq seq : bucket.seqs) {
      if (!sieve_.add(seq)) continue;
      if (const auto most = filter_.pass(one_bit, store_.one_bit(seq))) {
        nominations_.push_back({seq, *most});
      }
    }
  }
}

void LookUp::fetch_rows(const SketchedBatch& chunk) {
  wanted_.clear();
  want_first(chunk);
  rows_.fetch(wanted_);
  if (rows_of_ == RowsOf::kAll) return;
  want_rivals(chunk);
  rows_.fetch_also(wanted_);
}

void LookUp::want_first(const SketchedBatch& chunk) {
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (chunk.records[i].kind == RecordKind::kDocument) {
      const BucketSeqs same = content(i);
      wanted_.insert(wanted_.end(), same.seqs.begin(), same.seqs.end());
    }
    if (ids_[i] && ids_[i]->has_document && ids_[i]->content != chunk.content[i])
      wanted_.push_back(ids_[i]->seq);
    const std::span<const Nominee> nominees = nominated(i);
    if (nominees.empty()) continue;
    if (rows_of_ == RowsOf::kAll) {
      for (const Nominee& nominee : nominees) wanted_.push_back(nominee.seq);
    } else {
      wanted_.push_back(first_to_compare(nominees).seq);
    }
  }
}

// Those that the first one leaves a chance, if it is what it seems to be.
void LookUp::want_rivals(const SketchedBatch& chunk) {
  const std::size_t words = chunk.size() == 0 ? 0 : chunk.rows.sketches.size() / chunk.size();
  wanted_.clear();
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const std::span<const Nominee> nominees = nominated(i);
    if (nominees.size() < 2) continue;
    const Nominee& first = first_to_compare(nominees);
    const DocumentRow* row = rows_.get(first.seq);
    const std::uint32_t count =
        row == nullptr || row->sketch.empty()
            ? 0
            : comparer_.equal_values(chunk.rows.sketches.data() + i * words, row->sketch.data());
    for (const Nominee& nominee : nominees) {
      if (nominee.seq != first.seq && may_beat(nominee, count, first.seq)) {
        wanted_.push_back(nominee.seq);
      }
    }
  }
}

BucketSeqs LookUp::go_on(const Bucket& bucket, Seq after) {
  store_.postings({&bucket, 1}, after, cap_, next_);
  postings_ += next_.all().size();
  return {next_.seqs(0), next_.more(0)};
}

}  // namespace neardup
