// A hash for tables whose keys come from outside, such as ids: nobody can choose keys that collide,
// because the hash is keyed by a secret that each process makes at random.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

struct KeyedHash {
  std::size_t operator()(std::string_view bytes) const;
};

}  // namespace neardup
