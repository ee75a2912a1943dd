#include "pipeline/local_documents.h"

#include <algorithm>
#include <string>

#include "storage/control_group.h"

namespace neardup {
namespace {

ExactSets make_sets(const Rule& rule, const CpuOptions& cpu, const Pending& pending, Store& store) {
  return ExactSets(Shingler(rule.plan.shingle, rule.plan.sketch.seed, cpu.simd),
                   Normaliser(cpu.simd, rule.text.fold),
                   [&pending, &store](Seq seq) -> std::optional<std::string> {
                     if (const DocumentPut* put = pending.document(seq))
                       return std::string(put->text);
                     return store.text(seq);
                   });
}

RowsOf rows_read_for(const Rule& rule) {
  return rule.decision.verify == VerifyMode::kExact ? RowsOf::kAll : RowsOf::kBest;
}

}  // namespace

LocalDocuments::LocalDocuments(const Rule& rule, const FilterOptions& filter, const CpuOptions& cpu,
                               Store& store, Pending& pending, Tombstones& tombstones,
                               SketchCache& sketches, RowCache& rows)
    : team_(thread_count(cpu.threads)),
      pending_(pending),
      tombstones_(tombstones),
      sketches_(sketches),
      rows_(rows),
      comparer_(rule.plan.shape(), cpu),
      sets_(make_sets(rule, cpu, pending, store)),
      live_(pending, tombstones, rows),
      verifier_(rule, comparer_, live_, sets_),
      prefilter_(comparer_, filter.one_bit ? verifier_.least_count() : 0),
      capped_bucket_cache_(comparer_, rule.bucket_cap, tombstones),
      lookup_(store, rule.plan.bands, rule.bucket_cap, capped_bucket_cache_, team_),
      content_(lookup_, pending, live_),
      capped_buckets_(comparer_, lookup_, pending, live_, rows, capped_bucket_cache_),
      buckets_(rule.plan.bands, pending, team_),
      finder_(rule.plan.bands, rule.bucket_cap, lookup_, pending, buckets_, capped_buckets_,
              sketches, prefilter_, team_),
      prefetch_(rows_read_for(rule), comparer_, prefilter_, lookup_, finder_, rows) {}

void LocalDocuments::prepare(const SketchedBatch& chunk) {
  const SketchedBatch* const one = &chunk;
  prepare({&one, 1});
  select(0);
}

void LocalDocuments::prepare(std::span<const SketchedBatch* const> chunks) {
  StageClock clock;
  chunks_.assign(chunks.begin(), chunks.end());
  parts_.assign(chunks);
  lookup_.run(parts_);
  clock.lap(lookup_time_);
  finder_.prepare(parts_);
  buckets_.locate(parts_);
  clock.lap(filter_time_);
  prefetch_rows();
  clock.lap(lookup_time_);
}

void LocalDocuments::prefetch_rows() {
  rows_.limit();
  for (std::size_t n = 0; n < chunks_.size(); ++n) {
    select(n);
    prefetch_.want_first(*chunk_);
  }
  prefetch_.fetch();
  for (std::size_t n = 0; n < chunks_.size(); ++n) {
    select(n);
    prefetch_.want_rivals(*chunk_);
  }
  prefetch_.fetch();
}

void LocalDocuments::select(std::size_t n) {
  chunk_ = chunks_[n];
  lookup_.select(parts_.first_of(n));
  finder_.select(parts_.first_of(n));
  buckets_.select(parts_.first_of(n));
}

std::optional<IdRow> LocalDocuments::version(std::size_t i) {
  return current(lookup_.key(i), lookup_.id(i));
}

std::optional<IdRow> LocalDocuments::version(const IdKey& key) {
  return current(key, lookup_.id(key));
}

std::optional<IdRow> LocalDocuments::current(const IdKey& key,
                                             const std::optional<IdRow>& stored) const {
  IdRow row;
  switch (pending_.find_id(key, row)) {
    case Pending::Id::kErased:
      return std::nullopt;
    case Pending::Id::kPut:
      return row;
    case Pending::Id::kUntouched:
      break;
  }
  return stored && !tombstones_.expired(stored->seq) ? stored : std::nullopt;
}

std::optional<Original> LocalDocuments::same_content(std::size_t i) {
  const DocumentRow* row = content_.find(*chunk_, i);
  if (row == nullptr) return std::nullopt;
  return Original{row->id, row->seq, VerifiedBy::kContent, kOne, kOne, kOne, 0};
}

std::optional<Original> LocalDocuments::best_original(std::size_t i) {
  if (!finder_.may_find(i)) return std::nullopt;
  const Query query = query_of(*chunk_, i);
  capped_bucket_cache_.limit();
  rows_.limit();
  const CandidateList& candidates = finder_.find(*chunk_, i, query);
  std::optional<Original> original = verifier_.best(query, candidates);
  if (quality_ != nullptr) offer_pair(query, original, candidates);
  return original;
}

void LocalDocuments::offer_pair(const Query& query, const std::optional<Original>& original,
                                const CandidateList& candidates) {
  if (original) {
    quality_->pair(PairKind::kFlagged, original->seq, query.text);
    return;
  }
  const auto sampled = [](const ScoredCandidate& candidate) {
    return QualityCheck::is_sampled(candidate.seq);
  };
  if (std::ranges::none_of(candidates.scored, sampled)) return;  // counting all values costs
  if (const auto nearest = verifier_.near_miss(query, candidates)) {
    quality_->pair(PairKind::kNearMiss, *nearest, query.text);
  }
}

std::optional<Ppm> LocalDocuments::similarity(std::size_t i, const IdRow& version) {
  if (!version.has_document || chunk_->has_sketch[i] == 0) return std::nullopt;
  const Query query = query_of(*chunk_, i);
  const DocumentRow* row = live_.find_sketched(version.seq, query.name_space);
  if (row == nullptr) return std::nullopt;
  return verifier_.similarity(query, *row);
}

std::optional<std::string> LocalDocuments::id_of(Seq document, std::string_view name_space) {
  const DocumentRow* row = live_.find(document, name_space);
  return row == nullptr ? std::nullopt : std::optional(row->id);
}

std::uint32_t LocalDocuments::text_bytes(const IdKey& key, const IdRow& version) {
  if (!version.has_document) return 0;
  const DocumentRow* row = live_.find(version.seq, key.name_space);
  return row == nullptr ? 0 : row->text_bytes;
}

}  // namespace neardup
