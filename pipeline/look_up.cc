#include "pipeline/look_up.h"

namespace neardup {

void LookUp::run(const SketchedBatch& chunk) {
  look_up_ids(chunk);
  look_up_buckets(chunk);
  fetch_rows(chunk);
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
}

void LookUp::fetch_rows(const SketchedBatch& chunk) {
  wanted_.clear();
  for (const PostingList& list : lists_) {
    postings_ += list.seqs.size();
    wanted_.insert(wanted_.end(), list.seqs.begin(), list.seqs.end());
  }
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (ids_[i] && ids_[i]->has_document && ids_[i]->content != chunk.content[i])
      wanted_.push_back(ids_[i]->seq);
  }
  rows_.fetch(wanted_);
}

const PostingList& LookUp::go_on(const Bucket& bucket, Seq after) {
  store_.postings({&bucket, 1}, after, cap_, next_);
  postings_ += next_.front().seqs.size();
  return next_.front();
}

}  // namespace neardup
