// The columns of the index: content hashes, ids, and one for each LSH band. A column finds a
// document by 40 bits of a hash. Other documents may share them, so a posting is only a hint.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace neardup {

using Hash40 = std::uint64_t;  // below 2^40
inline constexpr unsigned kHashBits = 40;

inline constexpr std::size_t kContentColumn = 0;
inline constexpr std::size_t kIdColumn = 1;
inline constexpr std::size_t kFirstBandColumn = 2;

inline std::size_t column_of(const Bucket& bucket) {
  return bucket.band == kContentBand ? kContentColumn : kFirstBandColumn + bucket.band;
}

// Takes the upper bits of the key, which is a hash itself.
inline Hash40 hash_of(const Bucket& bucket) { return bucket.key >> (64 - kHashBits); }

// `key` differs between states, so that nobody can choose ids that collide.
Hash40 hash_of(const IdKey& id, std::uint64_t key);

// A look-up in the index: a hash in a column.
struct Probe {
  std::size_t column = 0;
  Hash40 hash = 0;
  bool operator==(const Probe&) const = default;
};

}  // namespace neardup
