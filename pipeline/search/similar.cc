#include "pipeline/search/similar.h"

#include <algorithm>

#include "pipeline/base/in_threads.h"
#include "storage/control_group.h"
#include "storage/store.h"

namespace neardup {
namespace {

constexpr std::size_t kRowsAtOnce = 64;
// Ranking fewer takes less time than starting a thread.
constexpr std::size_t kSearchesAThread = 4;
constexpr Ppm kThousandth = kOne / 1000;

// The best k hits so far.
class BestHits {
 public:
  explicit BestHits(std::size_t k) : k_(k) {}

  // A document with fewer equal values cannot enter.
  std::uint32_t needed() const { return hits_.size() < k_ ? 0 : hits_.back().equal; }

  void offer(SimilarHit hit) {
    const auto better = [](const SimilarHit& a, const SimilarHit& b) {
      return a.equal != b.equal ? a.equal > b.equal : a.seq < b.seq;
    };
    hits_.insert(std::upper_bound(hits_.begin(), hits_.end(), hit, better), std::move(hit));
    if (hits_.size() > k_) hits_.pop_back();
  }

  std::vector<SimilarHit> take() { return std::move(hits_); }

 private:
  std::size_t k_;
  std::vector<SimilarHit> hits_;  // best first
};

Ppm rounded_up(Ppm similarity) {
  return std::min(kOne, (similarity + kThousandth - 1) / kThousandth * kThousandth);
}

// The highest estimate for a count of equal values, for any sizes of the sets: R = (P − C1) / (1 −
// C2), where C1 >= 0 and C2 <= 2^−b.
Ppm most_similar(const SketchOptions& sketch, const Estimator& estimator, std::uint32_t equal) {
  if (!is_permutation(sketch)) return estimator.similarity_ppm(equal);
  const std::uint64_t span = std::uint64_t{1} << sketch.bits;
  const std::uint64_t unit = std::uint64_t{sketch.size} * (span - 1);
  return static_cast<Ppm>(std::min<std::uint64_t>(kOne, (equal * span * kOne + unit - 1) / unit));
}

}  // namespace

SimilarSearch::SimilarSearch(const Rule& rule, const SearchEngine& engine, const CpuOptions& cpu)
    : rule_(rule),
      engine_(engine),
      estimator_(rule.plan, rule.decision.threshold),
      comparer_(rule.plan.shape(), cpu),
      threads_(thread_count(cpu.threads)) {}

std::vector<SimilarAnswer> SimilarSearch::answer(const SketchView& view,
                                                 std::span<const SimilarQuery> queries,
                                                 const SimilarOptions& options) const {
  std::vector<EngineQuery> asked;
  for (const SimilarQuery& query : queries) {
    const std::string_view name_space = query.document.name_space;
    asked.push_back({query.document.sketch, query.document.one_bit, name_space,
                     namespace_tag(name_space), query.except});
  }
  const Wanted wanted{std::max(options.candidates, options.k), options.min_similarity};
  const auto nominated = engine_.nominate(view, asked, wanted);
  std::vector<SimilarAnswer> answers(queries.size());
  const std::size_t threads =
      std::clamp<std::size_t>(queries.size() / kSearchesAThread, 1, threads_);
  share_out(queries.size(), threads, [&](std::size_t, std::size_t i) {
    answers[i] = rank(view, queries[i], nominated[i], options);
  });
  return answers;
}

SimilarAnswer SimilarSearch::rank(const SketchView& view, const SimilarQuery& query,
                                  const Nominated& nominated, const SimilarOptions& options) const {
  BestHits best(options.k);
  bool below = false;  // a document was compared that is less similar than wanted
  std::vector<Seq> seqs;
  std::vector<std::optional<DocumentRow>> rows;
  const std::span<const NearSeq> documents(nominated.documents);
  for (std::size_t begin = 0; begin < documents.size(); begin += kRowsAtOnce) {
    const auto part = documents.subspan(begin, std::min(kRowsAtOnce, documents.size() - begin));
    // Documents further away have fewer equal values than the worst hit.
    if (rule_.plan.sketch.size - part.front().distance < best.needed()) break;
    seqs.clear();
    for (const NearSeq& near : part) seqs.push_back(near.seq);
    view.documents(seqs, rows);
    for (std::optional<DocumentRow>& row : rows) {
      if (!row || row->sketch.empty() || row->name_space != query.document.name_space) continue;
      const std::uint32_t equal = comparer_.equal_values(query.document.sketch, row->sketch.data());
      const SetSizes sizes{query.document.distinct_shingles, row->distinct_shingles};
      if (estimator_.similarity_ppm(equal, sizes) < options.min_similarity) {
        below = true;
        continue;
      }
      best.offer({std::move(row->id), row->seq, estimator_.estimate(equal, sizes), equal,
                  comparer_.bands_hit(query.document.sketch, row->sketch.data())});
    }
  }
  SimilarAnswer answer;
  answer.engine = engine_.name();
  answer.searched = nominated.searched;
  answer.hits = best.take();
  const std::uint32_t elsewhere = nominated.most_equal_elsewhere;
  const Ppm most = most_similar(rule_.plan.sketch, estimator_, elsewhere);
  answer.complete_above = rounded_up(most);
  if (answer.hits.size() < options.k) {
    answer.fewer_because = most >= options.min_similarity && elsewhere != 0 ? FewerBecause::kReach
                           : below || elsewhere != 0 ? FewerBecause::kMinSimilarity
                                                     : FewerBecause::kDocuments;
  }
  return answer;
}

}  // namespace neardup
