// A running hash over all flags of a state, in order. It does not depend on where batches ended.
// Equal chains mean equal flags, byte for byte.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace neardup {

class Chain {
 public:
  Chain() = default;  // of a state without flags
  // From its digits. Requires: 32 hex digits.
  explicit Chain(std::string_view digits);

  // Adds a flag, as encode_flag writes it: XXH3 (128 bits) of the chain and the flag.
  void add(std::string_view encoded_flag);

  // 32 hex digits.
  std::string digits() const;

 private:
  std::array<unsigned char, 16> value_{};
};

}  // namespace neardup
