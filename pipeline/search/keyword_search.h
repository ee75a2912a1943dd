// Which documents the engines `match` and `ewh` find: a few numbers each, over the same postings.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/backend.h"
#include "gpu/search/keyword_probes.h"
#include "gpu/search/keywords.h"
#include "storage/similar/keyword_index.h"

namespace neardup {

// A document is found when the weights of its keywords add up to `gate` or more. A keyword that
// differs from that of the query in r <= errors bits weighs heaviest − r, others nothing.
struct KeywordSearch {
  std::string_view engine;
  KeywordSource source;
  Keywords keywords;
  std::uint32_t errors;
  std::uint32_t heaviest;  // > errors
  std::uint32_t gate;

  std::vector<KeywordProbe> probes() const {
    return keyword_probes(kKeywordBits, errors, heaviest);
  }
  // The fewest differing values that a document needs to be missed.
  std::uint32_t least_differing() const;
};

// Match-count (GENIE, Zhou et al. 2018): `keywords` keywords of the sketch, or as many as it has.
// One common keyword is rare among strangers while there are fewer than 64, two with more.
KeywordSearch match_search(const SketchShape& shape, std::uint32_t keywords = 32);

// Error weighted hashing (EWH): keywords of the 1-bit sketch, two of whose bits may differ. One
// that is equal is enough, or two with errors: one with an error each of many strangers has.
KeywordSearch ewh_search(const SketchShape& shape);

// A KeywordIndex for the search makes its keywords by this.
MakeKeywords keyword_maker(const SketchPlan& plan, const KeywordSearch& search);

}  // namespace neardup
