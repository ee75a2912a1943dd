#include "gpu/search/keyword_probes.h"

#include <algorithm>
#include <bit>

namespace neardup {

std::vector<KeywordProbe> keyword_probes(std::uint32_t bits, std::uint32_t errors,
                                         std::uint32_t heaviest) {
  std::vector<KeywordProbe> probes;
  for (std::uint32_t mask = 0; mask < (std::uint32_t{1} << bits); ++mask) {
    const auto changed = static_cast<std::uint32_t>(std::popcount(mask));
    if (changed > errors) continue;
    probes.push_back({mask, static_cast<std::uint8_t>(heaviest - changed)});
  }
  std::ranges::stable_sort(probes, std::ranges::greater(), &KeywordProbe::weight);
  return probes;
}

}  // namespace neardup
