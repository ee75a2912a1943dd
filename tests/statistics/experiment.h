// Pairs of random sets of known similarity, and what the sketches say of them over many seeds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "gpu/cpu/compare.h"
#include "gpu/cpu/sketcher.h"

namespace neardup::statistics {

using Elements = std::vector<std::uint64_t>;
using Random = std::mt19937_64;

inline constexpr std::array<std::uint32_t, 6> kBits{1, 2, 4, 8, 16, 32};
inline constexpr double kSimilarities[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1};

// Two sets of `size` and `other` elements of which `common` are in both.
struct Overlap {
  std::size_t size;
  std::size_t other;
  std::size_t common;
  double jaccard() const {
    return static_cast<double>(common) / static_cast<double>(size + other - common);
  }
};

// The overlaps of two sets of `size` elements that come nearest to the wanted similarities.
inline std::vector<Overlap> overlaps(std::size_t size, std::span<const double> similarities) {
  std::set<std::size_t> commons;
  for (double j : similarities) {
    commons.insert(
        static_cast<std::size_t>(std::lround(2 * j / (1 + j) * static_cast<double>(size))));
  }
  std::vector<Overlap> found;
  for (std::size_t common : commons) found.push_back({size, size, common});
  return found;
}

// `count` different elements; different mod `universe` too where there is one.
inline Elements random_elements(Random& random, std::size_t count, std::uint64_t universe) {
  Elements found;
  if (universe == 0) {
    while (found.size() < count) found.push_back(random() % hd::kPrime);
    return found;  // two of 10^5 among 2^61 are equal once in 10^8 sets
  }
  std::set<std::uint64_t> residues;
  while (found.size() < count) {
    const std::uint64_t x = random() % hd::kPrime;
    if (residues.insert(x % universe).second) found.push_back(x);
  }
  return found;
}

class Moments {
 public:
  void add(double x) {
    ++count_;
    const double step = x - mean_;
    mean_ += step / static_cast<double>(count_);
    squares_ += step * (x - mean_);
  }
  double count() const { return static_cast<double>(count_); }
  double mean() const { return mean_; }
  double variance() const { return squares_ / (count() - 1); }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// C1 and C2 of R = (P − C1) / (1 − C2) (Li, König 2010, Theorem 1); 2^−b both where values are
// mixed.
struct Constants {
  double c1;
  double c2;
};

inline Constants constants(const SketchOptions& sketch, const Overlap& overlap) {
  const double span = std::ldexp(1.0, static_cast<int>(sketch.bits));
  if (!is_permutation(sketch)) {
    return {1 / span, 1 / span};
  }
  const auto agreement = [&](double r) {
    return r * std::pow(1 - r, span - 1) / (1 - std::pow(1 - r, span));
  };
  const double r1 = static_cast<double>(overlap.size) / static_cast<double>(sketch.universe);
  const double r2 = static_cast<double>(overlap.other) / static_cast<double>(sketch.universe);
  const double share = r1 / (r1 + r2);
  return {agreement(r1) * (1 - share) + agreement(r2) * share,
          agreement(r1) * share + agreement(r2) * (1 - share)};
}

// What was estimated for one overlap by one number of bits.
struct Outcome {
  Overlap overlap;
  SketchOptions sketch;
  Moments estimates;  // not clamped to [0, 1]

  double estimate(double share) const {
    const auto [c1, c2] = constants(sketch, overlap);
    return (share - c1) / (1 - c2);
  }

  // Were the k values independent (Li, König 2010, §2): J(1 − J)/k when nothing agrees by chance.
  double independent_variance() const {
    const auto [c1, c2] = constants(sketch, overlap);
    const double p = c1 + (1 - c2) * overlap.jaccard();
    return p * (1 - p) / sketch.size / ((1 - c2) * (1 - c2));
  }
};

// Winning values of windows of a list. Those of MinHash are minima, so each stretch between two
// cuts is hashed once; a fast similarity sketch is computed again for each window.
class Windows {
 public:
  Windows(Sketcher& sketcher, bool minima, std::span<const std::uint64_t> all,
          const std::set<std::size_t>& cuts)
      : sketcher_(sketcher), minima_(minima), all_(all) {
    if (!minima_) return;
    std::size_t from = 0;
    for (std::size_t to : cuts) {
      if (to == from) continue;
      const auto winners = sketcher_.winners(all_.subspan(from, to - from));
      stretches_[from].assign(winners.begin(), winners.end());
      from = to;
    }
  }

  Elements winners(std::size_t from, std::size_t size) {
    if (!minima_) {
      const auto winners = sketcher_.winners(all_.subspan(from, size));
      return {winners.begin(), winners.end()};
    }
    Elements smallest = stretches_.at(from);
    for (auto at = stretches_.find(from); at != stretches_.end() && at->first < from + size; ++at) {
      for (std::size_t i = 0; i < smallest.size(); ++i)
        smallest[i] = std::min(smallest[i], at->second[i]);
    }
    return smallest;
  }

 private:
  Sketcher& sketcher_;
  bool minima_;
  std::span<const std::uint64_t> all_;
  std::map<std::size_t, Elements> stretches_;
};

// Sketches pairs of all `shapes` (all with the same `size`) `repetitions` times, with fresh
// elements each time, and fresh keys but for `permutation`, whose matrix is random enough. An
// outcome for each shape and number of bits; both sets are sketched, packed and compared by the
// product's own code.
class Experiment {
 public:
  Experiment(const SketchOptions& sketch, std::vector<Overlap> shapes, std::uint64_t seed)
      : shapes_(std::move(shapes)), random_(seed) {
    plan_.sketch = sketch;
    for (const Overlap& shape : shapes_) {
      for (std::uint32_t bits : kBits) {
        SketchOptions own = sketch;
        own.bits = bits;
        outcomes_.push_back({shape, own, {}});
      }
    }
  }

  const std::vector<Outcome>& run(std::uint32_t repetitions) {
    for (std::uint32_t i = 0; i < repetitions; ++i) repeat();
    return outcomes_;
  }

 private:
  void repeat() {
    const SketchOptions& sketch = plan_.sketch;
    if (!keys_ || !is_permutation(sketch)) {
      plan_.sketch.seed = {random_(), random_()};
      keys_ = std::make_shared<const SketchKeys>(make_sketch_keys(plan_));
    }
    Sketcher sketcher(plan_, keys_, SimdLevel::kAuto);
    const std::size_t size = shapes_.front().size;
    std::set<std::size_t> cuts{size};
    for (const Overlap& shape : shapes_) {
      cuts.insert({size - shape.common, size - shape.common + shape.other});
    }
    const Elements all = random_elements(random_, *cuts.rbegin(), sketch.universe);
    Windows windows(sketcher, sketch.family == SketchFamily::kMinhash, all, cuts);
    const Elements a = windows.winners(0, size);
    auto outcome = outcomes_.begin();
    for (const Overlap& shape : shapes_) {
      const Elements b = windows.winners(size - shape.common, shape.other);
      for (std::size_t i = 0; i < kBits.size(); ++i) compare(a, b, *outcome++);
    }
  }

  void compare(const Elements& a, const Elements& b, Outcome& outcome) {
    SketchPlan plan = plan_;
    plan.sketch.bits = outcome.sketch.bits;
    row_a_.resize(plan.shape().sketch_words());
    row_b_.resize(plan.shape().sketch_words());
    pack_sketch(plan, a, row_a_.data());
    pack_sketch(plan, b, row_b_.data());
    const SketchComparer comparer(plan.shape(), {});
    const std::uint32_t equal = comparer.equal_values(row_a_.data(), row_b_.data());
    outcome.estimates.add(outcome.estimate(equal / double(plan.sketch.size)));
  }

  SketchPlan plan_;
  std::vector<Overlap> shapes_;
  Random random_;
  std::shared_ptr<const SketchKeys> keys_;
  std::vector<Outcome> outcomes_;
  Elements row_a_;
  Elements row_b_;
};

}  // namespace neardup::statistics
