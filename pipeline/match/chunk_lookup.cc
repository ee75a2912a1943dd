#include "pipeline/match/chunk_lookup.h"

#include "pipeline/model/query.h"

namespace neardup {

void ChunkLookup::run(const SketchedBatch& chunk) {
  look_up_ids(chunk);
  look_up_buckets(chunk);
}

void ChunkLookup::look_up_ids(const SketchedBatch& chunk) {
  keys_.clear();
  for (const Record& record : chunk.records) keys_.push_back({record.name_space, record.id});
  store_.ids(keys_, ids_);
}

void ChunkLookup::look_up_buckets(const SketchedBatch& chunk) {
  buckets_.clear();
  list_of_.clear();
  first_list_.clear();
  capped_buckets_.limit();
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    first_list_.push_back(list_of_.size());
    if (chunk.records[i].kind != RecordKind::kDocument) continue;
    ask_for(content_bucket(chunk.content[i], chunk.records[i].name_space));
    if (chunk.has_sketch[i] != 0) ask_for_bands(chunk, i);
  }
  store_.postings(buckets_, 0, cap_, lists_);
  postings_read_ += lists_.all().size();
}

void ChunkLookup::ask_for_bands(const SketchedBatch& chunk, std::size_t i) {
  const Query query = query_of(chunk, i);
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const Bucket bucket{static_cast<std::uint16_t>(m), chunk.rows.buckets(i)[m]};
    if (capped_buckets_.is_full(bucket, query)) {
      list_of_.push_back(kNotRead);
    } else {
      ask_for(bucket);
    }
  }
}

std::optional<IdRow> ChunkLookup::id(const IdKey& key) {
  std::vector<std::optional<IdRow>> rows;
  store_.ids({&key, 1}, rows);
  return rows.front();
}

BucketSeqs ChunkLookup::postings(const Bucket& bucket, Seq after) {
  store_.postings({&bucket, 1}, after, cap_, next_);
  postings_read_ += next_.all().size();
  return {next_.seqs(0), next_.more(0)};
}

}  // namespace neardup
