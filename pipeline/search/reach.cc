#include "pipeline/search/reach.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/search/keywords.h"
#include "pipeline/rule/bands.h"
#include "pipeline/rule/binomial.h"
#include "pipeline/rule/tuning.h"
#include "pipeline/search/match_engine.h"
#include "storage/similar/segment_format.h"

namespace neardup {
namespace {

constexpr double kBeyondLimit = 0.002;

// P[X <= most] for X binomial(n, p).
double at_most(std::uint32_t n, double p, std::uint32_t most) {
  const std::vector<double> chances = binomial(n, p);
  return std::accumulate(chances.begin(), chances.begin() + std::min(most, n) + 1, 0.0);
}

double differing_bits_at_most(std::uint32_t values, double jaccard, std::uint32_t most) {
  return at_most(values, std::max((1 - jaccard) / 2, 1e-12), most);
}

// The furthest distance up to which at most `candidates` of the strangers lie.
std::uint32_t shortlist_limit(const SearchCase& search) {
  const std::vector<double> chances = binomial(search.shape.slots, 0.5);
  double strangers = 0;
  std::uint32_t limit = 0;
  while (limit < search.shape.slots) {
    strangers += chances[limit + 1] * static_cast<double>(search.documents);
    if (strangers > search.candidates) break;
    ++limit;
  }
  return limit;
}

// The similarity whose count of equal values is expected to be `equal`.
double similarity_of(const SketchShape& shape, double equal) {
  const double chance = std::ldexp(1, -static_cast<int>(shape.bits));
  return std::clamp((equal / shape.slots - chance) / (1 - chance), 0.0, 1.0);
}

EngineReach scan_reach(const SearchCase& search, const std::vector<double>& similarities) {
  const std::uint32_t limit = shortlist_limit(search);
  EngineReach reach{"scan",
                    std::min<double>(search.candidates, static_cast<double>(search.documents)),
                    0,
                    similarity_of(search.shape, search.shape.slots - limit),
                    {}};
  for (const double jaccard : similarities) {
    reach.chances.push_back(differing_bits_at_most(search.shape.slots, jaccard, limit));
  }
  return reach;
}

EngineReach match_reach(const SearchCase& search, const std::vector<double>& similarities) {
  const Keywords keywords(search.shape, search.keywords);
  const std::uint32_t gate = MatchOptions{keywords.count()}.gate();
  const std::uint32_t limit = most_differing_bits(search.shape.slots, search.min_similarity);
  const auto compared = [&](double jaccard) {
    const double keyword =
        std::pow(value_collision(jaccard, search.shape.bits), keywords.values_each());
    return (1 - at_most(keywords.count(), keyword, gate - 1)) *
           differing_bits_at_most(search.shape.slots, jaccard, limit);
  };
  const std::uint32_t differing = std::min(keywords.count() - gate, limit) + 1;
  EngineReach reach{"match",
                    compared(0) * static_cast<double>(search.documents),
                    keyword_bytes(keywords.count()),
                    similarity_of(search.shape, search.shape.slots - differing),
                    {}};
  for (const double jaccard : similarities) reach.chances.push_back(compared(jaccard));
  return reach;
}

EngineReach lsh_reach(const SearchCase& search, const std::vector<double>& similarities) {
  const Bands bands{search.shape.bands, search.shape.rows};
  EngineReach reach{"lsh", chance_meetings(bands, search.shape.bits, search.documents), 0, 1, {}};
  for (const double jaccard : similarities) {
    reach.chances.push_back(meeting_chance(jaccard, search.shape.bits, bands));
  }
  return reach;
}

}  // namespace

std::uint32_t most_differing_bits(std::uint32_t values, Ppm similarity) {
  return values - binomial_lower(values, (1 + similarity / 1e6) / 2, kBeyondLimit);
}

std::vector<EngineReach> engine_reaches(const SearchCase& search,
                                        const std::vector<double>& similarities) {
  return {scan_reach(search, similarities), match_reach(search, similarities),
          lsh_reach(search, similarities)};
}

}  // namespace neardup
