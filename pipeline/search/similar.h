// The k most similar stored documents of a query, below the threshold of the rule, too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/cpu/compare.h"
#include "pipeline/base/enum_name.h"
#include "pipeline/model/query.h"
#include "pipeline/rule/estimate.h"
#include "pipeline/rule/rule.h"
#include "pipeline/search/engine.h"

namespace neardup {

inline constexpr std::uint32_t kMostHits = 10'000;  // that may be asked for

struct SimilarOptions {
  std::uint32_t k = 10;             // hits of an answer. Requires: > 0
  Ppm min_similarity = 300'000;     // of a hit
  std::uint32_t candidates = 1000;  // documents whose rows may be read; at least k are
};

// A document that is asked about. It need not be stored.
struct SimilarQuery {
  Query document;  // Requires: it has a sketch
  Seq except = 0;  // no hit: the document itself
};

struct SimilarHit {
  std::string id;
  Seq seq = 0;
  Estimate estimate;
  std::uint32_t equal = 0;      // values of the two sketches
  std::uint32_t bands_hit = 0;  // bands whose values are all equal
};

// Why an answer has fewer than k hits.
enum class FewerBecause : std::uint8_t {
  kDocuments,      // the namespace has no more documents
  kMinSimilarity,  // all others are below min_similarity
  kReach,          // others may be similar enough, but the engine did not nominate them
};
inline constexpr std::array<std::string_view, 3> kFewerBecauseNames{"documents", "min_similarity",
                                                                    "reach"};
constexpr std::span<const std::string_view> names(FewerBecause) { return kFewerBecauseNames; }

struct SimilarAnswer {
  std::string_view engine;
  // Every document of a higher similarity was compared. Proven: the engine says how many values of
  // others may be equal.
  Ppm complete_above = 0;
  std::uint64_t searched = 0;    // as Nominated::searched
  std::vector<SimilarHit> hits;  // by count of equal values, then by seq
  std::optional<FewerBecause> fewer_because;
};

// The references must outlive this. May be used by several threads.
class SimilarSearch {
 public:
  // Throws Failure(kConfig) when this machine lacks cpu.simd.
  SimilarSearch(const Rule& rule, const SearchEngine& engine, const CpuOptions& cpu);

  // The answers to all queries, as of the view. Documents that end while they are searched may be
  // missing.
  std::vector<SimilarAnswer> answer(const SketchView& view, std::span<const SimilarQuery> queries,
                                    const SimilarOptions& options) const;

 private:
  SimilarAnswer rank(const SketchView& view, const SimilarQuery& query, const Nominated& nominated,
                     const SimilarOptions& options) const;

  const Rule& rule_;
  const SearchEngine& engine_;
  Estimator estimator_;
  SketchComparer comparer_;
  std::size_t threads_;
};

}  // namespace neardup
