// The probes of error weighted hashing (EWH): a keyword of a query is looked up with some of its
// bits changed, too, and a document that is found with fewer errors gets a larger weight.
#pragma once

#include <cstdint>
#include <vector>

namespace neardup {

struct KeywordProbe {
  std::uint32_t mask = 0;   // the bits that are changed
  std::uint8_t weight = 1;  // of a document that is found
};

// All masks with at most `errors` of `bits` bits, fewest first; the weight of one with r bits is
// heaviest − r. Requires: heaviest > errors.
std::vector<KeywordProbe> keyword_probes(std::uint32_t bits, std::uint32_t errors,
                                         std::uint32_t heaviest);

}  // namespace neardup
