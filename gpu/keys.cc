#include "gpu/keys.h"

#include <numeric>
#include <string>
#include <utility>

#include "gpu/hd/arithmetic.h"
#include "gpu/hd/shingle.h"

namespace neardup {
namespace {

// The labels are part of the format.
enum Label : std::uint32_t {
  kToken = 1,
  kShingleBase = 2,
  kRound = 3,
  kTwoUniversal = 4,
  kFourUniversal = 5,
  kMultiplyShift = 6,
  kBand = 7,
  kSeedCheck = 8,
  kContent = 9,
  kPermutation = 4096,
};

std::uint64_t derive(const Seed& seed, std::uint32_t label, std::uint32_t i) {
  return hd::derive(seed.s0, seed.s1, label, i);
}

std::vector<hd::TwoUniversal> make_two_universal(const Seed& seed, std::uint32_t k) {
  std::vector<hd::TwoUniversal> functions(k);
  for (std::uint32_t j = 0; j < k; ++j) {
    functions[j] = {derive(seed, kTwoUniversal, 2 * j) % hd::kPrime,
                    1 + derive(seed, kTwoUniversal, 2 * j + 1) % (hd::kPrime - 1)};
  }
  return functions;
}

std::vector<hd::FourUniversal> make_four_universal(const Seed& seed, std::uint32_t k) {
  std::vector<hd::FourUniversal> functions(k);
  for (std::uint32_t j = 0; j < k; ++j) {
    std::uint64_t c[4];
    for (std::uint32_t i = 0; i < 4; ++i)
      c[i] = derive(seed, kFourUniversal, 4 * j + i) % hd::kPrime;
    functions[j] = {c[0], c[1], c[2], c[3]};
  }
  return functions;
}

std::vector<hd::MultiplyShift> make_multiply_shift(const Seed& seed, std::uint32_t k) {
  std::vector<hd::MultiplyShift> functions(k);
  for (std::uint32_t j = 0; j < k; ++j) {
    functions[j] = {derive(seed, kMultiplyShift, 2 * j), derive(seed, kMultiplyShift, 2 * j + 1)};
  }
  return functions;
}

// Fisher and Yates' shuffle.
void shuffle(const Seed& seed, std::uint32_t function, std::vector<std::uint32_t>& values) {
  std::iota(values.begin(), values.end(), 0);
  for (auto i = static_cast<std::uint32_t>(values.size() - 1); i > 0; --i) {
    const auto r =
        hd::multiply_wide(derive(seed, kPermutation + function, i), std::uint64_t{i} + 1).high;
    std::swap(values[i], values[r]);
  }
}

// A few functions at a time, which make a cache line of each row.
std::vector<std::uint32_t> make_permutations(const Seed& seed, std::uint32_t k,
                                             std::uint32_t universe) {
  constexpr std::uint32_t kAtOnce = 16;
  std::vector<std::uint32_t> matrix(std::size_t{k} * universe);
  std::vector<std::vector<std::uint32_t>> functions(std::min(k, kAtOnce));
  for (auto& values : functions) values.resize(universe);
  for (std::uint32_t first = 0; first < k; first += kAtOnce) {
    const std::uint32_t count = std::min(kAtOnce, k - first);
    for (std::uint32_t j = 0; j < count; ++j) shuffle(seed, first + j, functions[j]);
    std::uint32_t* row = matrix.data() + first;
    for (std::uint32_t x = 0; x < universe; ++x, row += k) {
      for (std::uint32_t j = 0; j < count; ++j) row[j] = functions[j][x];
    }
  }
  return matrix;
}

void add_minhash_keys(const SketchPlan& plan, SketchKeys& keys) {
  const std::uint32_t k = plan.sketch.size;
  switch (plan.sketch.hash) {
    case MinhashHash::k2u:
      keys.two_universal = make_two_universal(plan.sketch.seed, k);
      break;
    case MinhashHash::k4u:
      keys.four_universal = make_four_universal(plan.sketch.seed, k);
      break;
    case MinhashHash::kMs32:
      keys.multiply_shift = make_multiply_shift(plan.sketch.seed, k);
      break;
    case MinhashHash::kPermutation:
      keys.permutations =
          make_permutations(plan.sketch.seed, k, static_cast<std::uint32_t>(plan.sketch.universe));
      break;
  }
}

}  // namespace

hd::TokenKeys make_token_keys(const Seed& seed) {
  return {derive(seed, kToken, 0), derive(seed, kToken, 1), derive(seed, kToken, 2)};
}

ShingleKeys make_shingle_keys(const Seed& seed, std::uint32_t shingle_size) {
  ShingleKeys keys;
  keys.token = make_token_keys(seed);
  keys.base = derive(seed, kShingleBase, 0) % hd::kPrime;
  if (keys.base < 2) keys.base = 2;
  keys.base_to_w = 1;
  for (std::uint32_t i = 0; i < shingle_size; ++i)
    keys.base_to_w = hd::multiply_mod(keys.base_to_w, keys.base);
  for (std::size_t c = 0; c < keys.ascii.size(); ++c) {
    const char padded[17] = {static_cast<char>(c)};
    keys.ascii[c] = hd::token_value(keys.token, padded, 1);
  }
  return keys;
}

SketchKeys make_sketch_keys(const SketchPlan& plan) {
  SketchKeys keys;
  const Seed& seed = plan.sketch.seed;
  keys.shingle = make_shingle_keys(seed, plan.shingle.size);
  if (plan.sketch.family == SketchFamily::kFastSimilarity) {
    for (std::uint32_t i = 0; i < 2 * plan.sketch.size; ++i)
      keys.rounds.push_back(derive(seed, kRound, i));
  } else {
    add_minhash_keys(plan, keys);
  }
  keys.bands = make_band_keys(plan);
  return keys;
}

std::vector<std::uint64_t> make_band_keys(const SketchPlan& plan) {
  std::vector<std::uint64_t> keys;
  for (std::uint32_t m = 0; m < plan.bands; ++m) keys.push_back(derive(plan.sketch.seed, kBand, m));
  return keys;
}

std::array<std::uint64_t, 24> content_secret(const Seed& seed) {
  std::array<std::uint64_t, 24> secret;
  for (std::uint32_t i = 0; i < secret.size(); ++i) secret[i] = derive(seed, kContent, i);
  return secret;
}

std::uint64_t hash_namespace(const Seed& seed, std::string_view name_space) {
  // The loads of the hash may read 16 bytes past the end.
  std::string padded(name_space);
  padded.append(16, '\0');
  return hd::hash_bytes(make_token_keys(seed), padded.data(), name_space.size());
}

std::uint64_t seed_check_value(const Seed& seed) { return derive(seed, kSeedCheck, 0); }

}  // namespace neardup
