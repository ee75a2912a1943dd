// A hash for tables with keys from users, such as ids. It is keyed with a random secret of the
// process, so that nobody can choose keys that collide.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup {

struct KeyedHash {
  std::size_t operator()(std::string_view bytes) const;
};

}  // namespace neardup
