#include "storage/generation/columns.h"

#include <xxhash.h>

namespace neardup {

Hash40 hash_of(const IdKey& id, std::uint64_t key) {
  const std::uint64_t of_namespace =
      XXH3_64bits_withSeed(id.name_space.data(), id.name_space.size(), key);
  return XXH3_64bits_withSeed(id.id.data(), id.id.size(), of_namespace) >> (64 - kHashBits);
}

}  // namespace neardup
