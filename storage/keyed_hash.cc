#include "storage/keyed_hash.h"

#include <xxhash.h>

#include <array>
#include <random>

namespace neardup {
namespace {

using Secret = std::array<std::random_device::result_type, 48>;  // 192 bytes, as XXH3's own secret

Secret make_secret() {
  std::random_device random;
  Secret secret;
  for (auto& word : secret) word = random();
  return secret;
}

}  // namespace

std::size_t KeyedHash::operator()(std::string_view bytes) const {
  static const Secret secret = make_secret();
  return XXH3_64bits_withSecret(bytes.data(), bytes.size(), secret.data(), sizeof secret);
}

}  // namespace neardup
