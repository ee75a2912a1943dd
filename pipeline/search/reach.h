// How much the engines of a search find and read, from binomial distributions alone: values,
// keywords and bits of two documents are taken to be equal independently of each other.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/options.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/model/types.h"

namespace neardup {

// The 1-bit sketches of documents of this similarity differ in more bits with a chance of 1 in 500
// at most. A bit of both is equal with chance (1 + J) / 2.
std::uint32_t most_differing_bits(std::uint32_t values, Ppm similarity);

// A search among strangers, which have no shingle in common with the query.
struct SearchCase {
  SketchShape shape;
  std::uint64_t documents = 0;
  std::uint32_t candidates = 0;  // rows that may be read
  std::uint32_t keywords = 0;    // of the index of `match`
  Ppm min_similarity = 0;        // of a hit
};

struct EngineReach {
  std::string_view engine;
  double rows = 0;              // of strangers that are read
  double index_bytes = 0;       // a document, in addition to what every state has
  double complete_above = 0;    // a similarity
  std::vector<double> chances;  // of a document to be compared, by similarity
};

// The engines scan, match, ewh and lsh.
std::vector<EngineReach> engine_reaches(const SearchCase& search,
                                        const std::vector<double>& similarities);

}  // namespace neardup
