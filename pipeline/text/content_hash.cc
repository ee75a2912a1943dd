#include "pipeline/text/content_hash.h"

#include <xxhash.h>

#include "gpu/keys.h"

namespace neardup {

ContentHasher::ContentHasher(const Seed& seed) : secret_(content_secret(seed)) {}

Hash128 ContentHasher::hash(std::string_view normalised) const {
  const XXH128_hash_t hash =
      XXH3_128bits_withSecret(normalised.data(), normalised.size(), secret_.data(), sizeof secret_);
  return {hash.low64, hash.high64};
}

}  // namespace neardup
