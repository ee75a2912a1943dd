#include "pipeline/shard/shard_documents.h"

#include "gpu/cpu/shingler.h"
#include "pipeline/model/query.h"
#include "storage/control_group.h"

namespace neardup {

ShardDocuments::ShardDocuments(const Rule& rule, std::uint32_t slack, const FilterOptions& filter,
                               const CpuOptions& cpu, Store& store, Pending& pending,
                               Tombstones& tombstones)
    : team_(thread_count(cpu.threads)),
      slack_(slack),
      tombstones_(tombstones),
      comparer_(rule.plan.shape(), cpu),
      sketches_(rule.plan.shape().sketch_words(), filter.sketch_bytes),
      rows_(store, sketches_, tombstones, filter.row_bytes),
      sets_(Shingler(rule.plan.shingle, rule.plan.sketch.seed, cpu.simd),
            Normaliser(cpu.simd, rule.text.fold), [&store](Seq seq) { return store.text(seq); }),
      live_(pending, tombstones, rows_),
      scorer_(rule, comparer_, sets_),
      capped_bucket_cache_(comparer_, rule.bucket_cap + slack, tombstones),
      lookup_(store, rule.plan.bands, rule.bucket_cap + slack, capped_bucket_cache_, team_),
      content_(lookup_, pending, live_),
      capped_buckets_(comparer_, lookup_, pending, live_, rows_, capped_bucket_cache_) {}

Answer ShardDocuments::answer(const SketchedBatch& chunk, Seq first, Seq as_of) {
  AnswerBuilder builder(first, as_of, chunk.size());
  const SketchedBatch* const one = &chunk;
  parts_.assign({&one, 1});
  lookup_.run(parts_);
  fetch_rows(chunk);
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    rows_.limit();
    capped_bucket_cache_.limit();
    if (chunk.records[i].kind == RecordKind::kRejected) continue;
    answer_version(chunk, i, builder);
    if (chunk.records[i].kind != RecordKind::kDocument) continue;
    answer_content(chunk, i, builder);
    if (chunk.has_sketch[i] != 0) answer_bands(chunk, i, builder);
  }
  return builder.take();
}

void ShardDocuments::fetch_rows(const SketchedBatch& chunk) {
  wanted_.clear();
  lookup_.append_listed(wanted_);
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (const auto& version = lookup_.id(i)) wanted_.push_back(version->seq);
  }
  rows_.limit();
  rows_.fetch(wanted_);
}

void ShardDocuments::answer_version(const SketchedBatch& chunk, std::size_t i,
                                    AnswerBuilder& builder) {
  const std::optional<IdRow>& row = lookup_.id(i);
  if (!row || tombstones_.expired(row->seq)) return;
  AnsweredVersion& version = builder.record(i).version.emplace(AnsweredVersion{.row = *row});
  if (!row->has_document) return;
  const DocumentRow* document = live_.find(row->seq, chunk.records[i].name_space);
  if (document == nullptr) return;
  version.text_bytes = document->text_bytes;
  if (chunk.has_sketch[i] == 0 || document->sketch.empty()) return;
  version.similarity = scorer_.similarity(query_of(chunk, i), *document);
}

void ShardDocuments::answer_content(const SketchedBatch& chunk, std::size_t i,
                                    AnswerBuilder& builder) {
  const std::size_t most = 1 + slack_;
  content_.find_oldest(chunk, i, most + 1, same_);
  if (same_.empty()) return;
  RecordAnswer& answer = builder.record(i);
  answer.more_same = same_.size() > most;
  if (answer.more_same) same_.pop_back();
  for (const DocumentRow* row : same_) answer.same.push_back(builder.document(*row));
}

void ShardDocuments::answer_bands(const SketchedBatch& chunk, std::size_t i,
                                  AnswerBuilder& builder) {
  const Query query = query_of(chunk, i);
  seen_.clear();
  listed_.clear();
  for (std::uint32_t m = 0; m < comparer_.shape().bands; ++m) {
    list_members(lookup_.band(i, m), {static_cast<std::uint16_t>(m), chunk.rows.buckets(i)[m]},
                 query);
    if (!members_.seqs.empty()) builder.record(i).bands.push_back({m, builder.list(members_)});
  }
  passing_.clear();
  scorer_.append_passing(query, listed_, passing_);
  for (const PassingDocument& document : passing_) {
    const DocumentRow* row = live_.find(document.seq, query.name_space);
    builder.record(i).nominees.push_back(
        {builder.document(*row), document.bands_hit, document.score});
  }
}

// The live documents of the bucket, at most as many as the look-up reads of one.
void ShardDocuments::list_members(const BucketSeqs& stored, const Bucket& bucket,
                                  const Query& query) {
  members_.seqs.clear();
  members_.more = false;
  if (stored.more) {
    const CappedBucket& capped = capped_buckets_.members(stored, bucket, query);
    members_.more = capped.next != 0;
    for (const SeqWord& word : capped.oldest) {
      for_each_seq(word,
                   [&](Seq seq) { add_member(seq, *live_.find_sketched(seq, query.name_space)); });
    }
    return;
  }
  for (const Seq seq : stored.seqs) {
    const DocumentRow* row = live_.find_sketched(seq, query.name_space);
    if (row == nullptr) continue;
    if (comparer_.band_equal(query.sketch, row->sketch.data(), bucket.band)) add_member(seq, *row);
  }
}

void ShardDocuments::add_member(Seq seq, const DocumentRow& row) {
  members_.seqs.push_back(seq);
  if (seen_.add(seq)) listed_.push_back(&row);
}

}  // namespace neardup
