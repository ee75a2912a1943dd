#include "pipeline/match/chunk_lookup.h"

#include <algorithm>
#include <bit>

#include "storage/prefetch.h"

namespace neardup {

LookUp::LookUp(Store& store, std::uint32_t bands, std::uint32_t cap, const SketchComparer& comparer,
               OneBitFilter& filter, CappedBucketCache& capped_buckets, Tombstones& tombstones,
               RowsOf rows_of, const FilterOptions& held)
    : store_(store),
      bands_(bands),
      cap_(cap),
      comparer_(comparer),
      filter_(filter),
      capped_buckets_(capped_buckets),
      rows_of_(rows_of),
      sketches_(comparer.shape().sketch_words(), held.sketch_bytes),
      rows_(store, sketches_, tombstones, held.row_bytes),
      nominator_(comparer, filter) {}

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
  places_.clear();
  first_place_.clear();
  capped_buckets_.limit();
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    first_place_.push_back(places_.size());
    if (chunk.records[i].kind != RecordKind::kDocument) continue;
    ask_for(content_bucket(chunk.content[i], chunk.records[i].name_space));
    if (chunk.has_sketch[i] != 0) ask_for_bands(chunk, i);
  }
  store_.postings(buckets_, 0, cap_, lists_);
  postings_ += lists_.all().size();
}

// Not of full buckets: their oldest are known.
void LookUp::ask_for_bands(const SketchedBatch& chunk, std::size_t i) {
  Query query;
  query.name_space = chunk.records[i].name_space;
  query.sketch = chunk.rows.sketches.data() + i * comparer_.shape().sketch_words();
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const Bucket bucket{static_cast<std::uint16_t>(m), chunk.rows.buckets[i * bands_ + m]};
    if (capped_buckets_.is_full(bucket, query)) {
      places_.push_back(kFull);
    } else {
      ask_for(bucket);
    }
  }
}

void LookUp::nominate(const SketchedBatch& chunk) {
  const SketchShape& shape = comparer_.shape();
  nominations_.clear();
  first_nomination_.assign(1, 0);
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (i + 1 < chunk.size() && chunk.has_sketch[i + 1] != 0) prefetch_candidates(i + 1);
    if (chunk.has_sketch[i] != 0) {
      list_candidates(i);
      nominator_.nominate({chunk.rows.sketches.data() + i * shape.sketch_words(),
                           chunk.rows.one_bit.data() + i * shape.one_bit_words()},
                          candidates_, nominations_);
    }
    first_nomination_.push_back(nominations_.size());
  }
}

void LookUp::prefetch_candidates(std::size_t i) {
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const BucketSeqs bucket = band(i, m);
    if (bucket.more) continue;
    for (const Seq seq : bucket.seqs) prefetch(sketches_.address(seq));
  }
}

// Those of all buckets without `more`, each once.
void LookUp::list_candidates(std::size_t i) {
  sieve_.clear();
  candidates_.clear();
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const BucketSeqs bucket = band(i, m);
    count_size(bucket.more ? cap_ : bucket.seqs.size());
    if (bucket.more) continue;
    for (const Seq seq : bucket.seqs) {
      if (sieve_.add(seq)) candidates_.push_back(candidate(seq));
    }
  }
}

void LookUp::count_size(std::size_t size) {
  const auto width = static_cast<std::size_t>(std::bit_width(size));
  ++bucket_sizes_.by_width[std::min(width, kBucketWidths - 1)];
  bucket_sizes_.sum += size;
}

void LookUp::fetch_rows(const SketchedBatch& chunk) {
  rows_.limit();
  wanted_.clear();
  want_first(chunk);
  rows_.fetch(wanted_);
  if (rows_of_ == RowsOf::kAll) return;
  want_rivals(chunk);
  rows_.fetch(wanted_);
}

void LookUp::want(const Nominee& nominee) {
  if (nominee.most >= filter_.need()) wanted_.push_back(nominee.seq);
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
      for (const Nominee& nominee : nominees) want(nominee);
    } else {
      want(first_to_compare(nominees));
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
    if (first.most < filter_.need()) continue;
    const DocumentRow* row = rows_.get(first.seq);
    const std::uint32_t count =
        row == nullptr || row->sketch.empty()
            ? 0
            : comparer_.equal_values(chunk.rows.sketches.data() + i * words, row->sketch.data());
    for (const Nominee& nominee : nominees) {
      if (nominee.seq != first.seq && may_beat(nominee, count, first.seq)) want(nominee);
    }
  }
}

void LookUp::fetch_rows(std::span<const Seq> seqs) {
  wanted_.assign(seqs.begin(), seqs.end());
  rows_.fetch(wanted_);
}

BucketSeqs LookUp::go_on(const Bucket& bucket, Seq after) {
  store_.postings({&bucket, 1}, after, cap_, next_);
  postings_ += next_.all().size();
  return {next_.seqs(0), next_.more(0)};
}

}  // namespace neardup
