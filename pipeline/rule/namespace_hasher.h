// The hash of a namespace in band keys, remembered: successive records mostly have the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gpu/keys.h"

namespace neardup {

// Not thread-safe: each thread has its own.
class NamespaceHasher {
 public:
  explicit NamespaceHasher(const Seed& seed) : seed_(seed), hash_(hash_namespace(seed, "")) {}

  std::uint64_t operator()(std::string_view name_space) {
    if (name_space != last_) {
      last_ = name_space;
      hash_ = hash_namespace(seed_, name_space);
    }
    return hash_;
  }

 private:
  Seed seed_;
  std::string last_;
  std::uint64_t hash_;  // of last_
};

}  // namespace neardup
