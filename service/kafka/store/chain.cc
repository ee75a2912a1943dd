#include "service/kafka/store/chain.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cassert>
#include <charconv>
#include <cstring>

namespace neardup {

Chain::Chain(std::string_view digits) {
  assert(digits.size() == 2 * value_.size());
  for (std::size_t i = 0; i < value_.size(); ++i) {
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, value_[i], 16);
  }
}

void Chain::add(std::string_view encoded_flag) {
  XXH64_hash_t low = 0;
  std::memcpy(&low, value_.data(), sizeof low);
  XXH64_hash_t high = 0;
  std::memcpy(&high, value_.data() + sizeof low, sizeof high);
  // Two hashes, each seeded with one half of the chain, so that both depend on the whole chain.
  const XXH128_hash_t a = XXH3_128bits_withSeed(encoded_flag.data(), encoded_flag.size(), low);
  const XXH128_hash_t b = XXH3_128bits_withSeed(&a, sizeof a, high);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, b);
  std::memcpy(value_.data(), canonical.digest, value_.size());
}

std::string Chain::digits() const { return fmt::format("{:02x}", fmt::join(value_, "")); }

}  // namespace neardup
