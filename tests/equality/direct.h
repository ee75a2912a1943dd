// Elements and winning values computed in the plainest way, straight from docs/formats/sketch.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/keys.h"

namespace neardup::direct {

using Elements = std::vector<std::uint64_t>;
using Wide = unsigned __int128;

inline std::vector<std::string_view> units(std::string_view text, ShingleUnit unit) {
  std::vector<std::string_view> found;
  std::size_t start = 0;
  for (std::size_t at = 1; at <= text.size(); ++at) {
    const bool end = at == text.size();
    if (unit == ShingleUnit::kChar && (end || (text[at] & 0xc0) != 0x80)) {
      found.push_back(text.substr(start, at - start));
      start = at;
    } else if (unit == ShingleUnit::kWord && (end || text[at] == ' ')) {
      found.push_back(text.substr(start, at - start));
      start = at + 1;
    }
  }
  return found;
}

inline std::uint64_t token_value(const hd::TokenKeys& keys, std::string_view token) {
  std::uint64_t hash = keys.k2 + token.size();
  for (std::size_t at = 0; at < token.size(); at += 16) {
    std::uint64_t word[2] = {0, 0};
    for (std::size_t i = 0; i < 16 && at + i < token.size(); ++i) {
      word[i / 8] |= std::uint64_t{static_cast<unsigned char>(token[at + i])} << (i % 8 * 8);
    }
    const Wide product = Wide{word[0] ^ keys.k0 ^ hash} * (word[1] ^ keys.k1);
    hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  return hash % hd::kPrime;
}

inline Elements elements(std::string_view text, const ShingleOptions& options, const Seed& seed) {
  const ShingleKeys keys = make_shingle_keys(seed, options.size);
  std::vector<std::uint64_t> values;
  for (auto unit : units(text, options.unit)) values.push_back(token_value(keys.token, unit));
  const std::size_t w = std::min<std::size_t>(options.size, values.size());
  Elements found;
  for (std::size_t i = 0; i + w <= values.size(); ++i) {
    Wide sum = 0;
    for (std::size_t j = 0; j < w; ++j) sum = (sum * keys.base + values[i + j]) % hd::kPrime;
    found.push_back(static_cast<std::uint64_t>(sum));
  }
  return found;
}

inline Elements fast_similarity(const SketchKeys& keys, std::uint32_t bins,
                                std::span<const std::uint64_t> set) {
  constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  Elements winners(bins, kEmpty);
  for (std::uint64_t round = 0; round < 2 * bins; ++round) {
    if (std::count(winners.begin(), winners.end(), kEmpty) == 0) break;
    const bool own_bin = round >= bins;
    if (own_bin && winners[round - bins] != kEmpty) continue;
    for (std::uint64_t x : set) {
      const std::uint64_t hash = hd::mix64(x ^ keys.rounds[round]);
      const std::uint64_t bin = own_bin ? round - bins : (hash >> 32) * bins >> 32;
      winners[bin] = std::min(winners[bin], round << 32 | (hash & 0xffffffff));
    }
  }
  return winners;
}

inline std::uint64_t minhash_value(const SketchOptions& options, const SketchKeys& keys,
                                   std::uint32_t j, std::uint64_t x) {
  const std::uint64_t universe = options.universe;
  if (universe != 0) x %= universe;
  Wide sum = 0;
  switch (options.hash) {
    case MinhashHash::kPermutation:
      return keys.permutations[x * options.size + j];
    case MinhashHash::kMs32: {
      const auto& f = keys.multiply_shift[j];
      return (f.a * (x % (std::uint64_t{1} << 32)) + f.b) >> 32;
    }
    case MinhashHash::k2u: {
      const auto& f = keys.two_universal[j];
      sum = (Wide{f.c2} * x + f.c1) % hd::kPrime;
      break;
    }
    case MinhashHash::k4u: {
      const auto& f = keys.four_universal[j];
      for (std::uint64_t c : {f.c4, f.c3, f.c2, f.c1}) sum = (sum * x + c) % hd::kPrime;
      break;
    }
  }
  return static_cast<std::uint64_t>(universe == 0 ? sum : sum % universe);
}

inline Elements winners(const SketchOptions& options, const SketchKeys& keys,
                        std::span<const std::uint64_t> set) {
  if (options.family == SketchFamily::kFastSimilarity) {
    return fast_similarity(keys, options.size, set);
  }
  Elements found(options.size, ~std::uint64_t{0});
  for (std::uint32_t j = 0; j < options.size; ++j) {
    for (std::uint64_t x : set) found[j] = std::min(found[j], minhash_value(options, keys, j, x));
  }
  return found;
}

}  // namespace neardup::direct
