#include "pipeline/match/chunk_lookup.h"

#include <algorithm>

#include "pipeline/model/query.h"

namespace neardup {

void ChunkLookup::run(const ChunkParts& parts) {
  capped_buckets_.limit();
  parts_ = parts.size();
  found_.resize(std::max(found_.size(), parts_));
  team_.share_out(parts_, [&](std::size_t number) {
    look_up_ids(parts[number], found_[number]);
    look_up_buckets(parts[number], found_[number]);
  });
  for (std::size_t i = 0; i < parts_; ++i) postings_read_ += found_[i].lists.all().size();
}

void ChunkLookup::append_listed(std::vector<Seq>& seqs) const {
  for (std::size_t i = 0; i < parts_; ++i) {
    const std::span<const Seq> listed = found_[i].lists.all();
    seqs.insert(seqs.end(), listed.begin(), listed.end());
  }
}

void ChunkLookup::look_up_ids(const ChunkPart& part, Found& found) {
  const SketchedBatch& chunk = *part.chunk;
  found.keys.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    found.keys.push_back({chunk.records[i].name_space, chunk.records[i].id});
  }
  store_.ids(found.keys, found.ids);
}

void ChunkLookup::look_up_buckets(const ChunkPart& part, Found& found) {
  const SketchedBatch& chunk = *part.chunk;
  found.buckets.clear();
  found.list_of.clear();
  found.first_list.clear();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    found.first_list.push_back(found.list_of.size());
    if (chunk.records[i].kind != RecordKind::kDocument) continue;
    found.ask_for(content_bucket(chunk.content[i], chunk.records[i].name_space));
    if (chunk.has_sketch[i] != 0) ask_for_bands(chunk, i, found);
  }
  store_.postings(found.buckets, 0, cap_, found.lists);
}

void ChunkLookup::ask_for_bands(const SketchedBatch& chunk, std::size_t i, Found& found) {
  const Query query = query_of(chunk, i);
  for (std::uint32_t m = 0; m < bands_; ++m) {
    const Bucket bucket{static_cast<std::uint16_t>(m), chunk.rows.buckets(i)[m]};
    if (capped_buckets_.is_full(bucket, query)) {
      found.list_of.push_back(kNotRead);
    } else {
      found.ask_for(bucket);
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
