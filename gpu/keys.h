// The keys of all hash functions, expanded once from the seed (docs/formats/sketch.md, table of
// labels).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/hd/minhash.h"
#include "gpu/hd/shingle.h"
#include "gpu/sketch_plan.h"

namespace neardup {

struct ShingleKeys {
  hd::TokenKeys token;
  std::uint64_t base = 0;                  // B
  std::uint64_t base_to_w = 0;             // B^w mod p
  std::array<std::uint64_t, 128> ascii{};  // token values of the ASCII characters
};

struct SketchKeys {
  ShingleKeys shingle;
  std::vector<std::uint64_t> rounds;            // fast similarity: 2t
  std::vector<hd::TwoUniversal> two_universal;  // the others: k each, only the family in use
  std::vector<hd::FourUniversal> four_universal;
  std::vector<hd::MultiplyShift> multiply_shift;
  std::vector<std::uint32_t> permutations;  // universe × k, row-major
  std::vector<std::uint64_t> bands;         // M
};

hd::TokenKeys make_token_keys(const Seed& seed);
ShingleKeys make_shingle_keys(const Seed& seed, std::uint32_t shingle_size);

// Requires: a plan that config/check has accepted. The permutation matrix takes 4·k·D bytes.
SketchKeys make_sketch_keys(const SketchPlan& plan);

// The keys of the bands alone, for rebuilding buckets from stored sketches.
std::vector<std::uint64_t> make_band_keys(const SketchPlan& plan);

// The 192-byte secret of the content hash.
std::array<std::uint64_t, 24> content_secret(const Seed& seed);

// Keyed hash of a namespace, part of every band key.
std::uint64_t hash_namespace(const Seed& seed, std::string_view name_space);

// A number that distinguishes two seeds without revealing them.
std::uint64_t seed_check_value(const Seed& seed);

}  // namespace neardup
