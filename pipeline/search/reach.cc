#include "pipeline/search/reach.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/search/keywords.h"
#include "pipeline/rule/bands.h"
#include "pipeline/rule/binomial.h"
#include "pipeline/rule/tuning.h"
#include "pipeline/search/keyword_search.h"
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

// The chances of the weights 0, 1 … heaviest of a keyword.
std::vector<double> weight_chances(const KeywordSearch& keywords, const SketchShape& shape,
                                   double jaccard) {
  std::vector<double> chances(keywords.heaviest + 1);
  if (keywords.source == KeywordSource::kSketch) {
    chances.back() =
        std::pow(value_collision(jaccard, shape.bits), keywords.keywords.values_each());
  } else {
    const std::vector<double> errors = binomial(kKeywordBits, (1 - jaccard) / 2);
    for (std::uint32_t i = 0; i <= keywords.errors; ++i) chances[keywords.heaviest - i] = errors[i];
  }
  chances[0] = 1 - std::accumulate(chances.begin() + 1, chances.end(), 0.0);
  return chances;
}

// The chance that the weights of all keywords add up to the gate.
double found_chance(const KeywordSearch& keywords, const SketchShape& shape, double jaccard) {
  const std::vector<double> weights = weight_chances(keywords, shape, jaccard);
  std::vector<double> below(keywords.gate);  // by score
  below[0] = 1;
  for (std::uint32_t keyword = 0; keyword < keywords.keywords.count(); ++keyword) {
    std::vector<double> next(below.size());
    for (std::size_t score = 0; score < below.size(); ++score) {
      for (std::size_t weight = 0; weight < weights.size() && score + weight < next.size();
           ++weight) {
        next[score + weight] += below[score] * weights[weight];
      }
    }
    below = std::move(next);
  }
  return 1 - std::accumulate(below.begin(), below.end(), 0.0);
}

EngineReach keyword_reach(const KeywordSearch& keywords, const SearchCase& search,
                          const std::vector<double>& similarities) {
  const std::uint32_t limit = most_differing_bits(search.shape.slots, search.min_similarity);
  const auto compared = [&](double jaccard) {
    return found_chance(keywords, search.shape, jaccard) *
           differing_bits_at_most(search.shape.slots, jaccard, limit);
  };
  const std::uint32_t differing = std::min(keywords.least_differing(), limit + 1);
  EngineReach reach{keywords.engine,
                    compared(0) * static_cast<double>(search.documents),
                    keyword_bytes(keywords.keywords.count()),
                    similarity_of(search.shape, search.shape.slots - differing),
                    {}};
  for (const double jaccard : similarities) reach.chances.push_back(compared(jaccard));
  return reach;
}

EngineReach lsh_reach(const SearchCase& search, const std::vector<double>& similarities) {
  const Bands bands{search.shape.bands, search.shape.rows};
  EngineReach reach{"lsh",
                    chance_meetings(bands, search.shape.bits, search.documents),
                    0,
                    similarity_of(search.shape, search.shape.slots - search.shape.bands),
                    {}};
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
  return {scan_reach(search, similarities),
          keyword_reach(match_search(search.shape, search.keywords), search, similarities),
          keyword_reach(ewh_search(search.shape), search, similarities),
          lsh_reach(search, similarities)};
}

}  // namespace neardup
