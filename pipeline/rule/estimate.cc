#include "pipeline/rule/estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pipeline/rule/binomial.h"

namespace neardup {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kUnit = std::uint64_t{1} << 60;  // 1 in fixed point
constexpr double kLowerCountLoss = 1e-4;
constexpr double kNormal95 = 1.959963984540054;

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Wide{a} * b / kUnit);
}

std::uint64_t divide(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Wide{a} * kUnit / b);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = kUnit;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

// A_{j,b} of Theorem 1 for a set that fills the fraction r of the universe.
std::uint64_t chance_agreement(std::uint64_t r, std::uint32_t bits) {
  const std::uint64_t span = std::uint64_t{1} << bits;
  return divide(multiply(r, power(kUnit - r, span - 1)), kUnit - power(kUnit - r, span));
}

Ppm nearest_thousandth(double x) {
  return static_cast<Ppm>(std::floor(std::clamp(x, 0.0, 1.0) * 1000 + 0.5)) * 1000;
}

}  // namespace

Estimator::Estimator(const SketchPlan& plan, Ppm threshold) : plan_(plan), threshold_(threshold) {
  const std::uint64_t k = plan.sketch.size;
  const std::uint64_t span = std::uint64_t{1} << plan.sketch.bits;
  // count·2^b − k ≥ T·k·(2^b − 1), in millionths, rounded up.
  const Wide need = Wide{k} * kOne + Wide{threshold} * k * (span - 1);
  plain_decision_count_ =
      static_cast<std::uint32_t>((need + Wide{span} * kOne - 1) / (Wide{span} * kOne));
  const double chance = is_permutation(plan.sketch) ? 0 : 1.0 / static_cast<double>(span);
  const double t = threshold / 1e6;
  lower_count_ = binomial_lower(plan.sketch.size, t + (1 - t) * chance, kLowerCountLoss);
}

Estimator::Constants Estimator::constants(SetSizes sizes) const {
  if (!is_permutation(plan_.sketch) || sizes.a == 0 || sizes.b == 0) {
    return {kUnit >> plan_.sketch.bits, kUnit >> plan_.sketch.bits};
  }
  const std::uint64_t universe = plan_.sketch.universe;
  const std::uint64_t r1 = divide(std::min<std::uint64_t>(sizes.a, universe), universe);
  const std::uint64_t r2 = divide(std::min<std::uint64_t>(sizes.b, universe), universe);
  const std::uint64_t a1 = chance_agreement(r1, plan_.sketch.bits);
  const std::uint64_t a2 = chance_agreement(r2, plan_.sketch.bits);
  const std::uint64_t share1 = divide(r1, r1 + r2);
  const std::uint64_t share2 = kUnit - share1;
  return {multiply(a1, share2) + multiply(a2, share1), multiply(a1, share1) + multiply(a2, share2)};
}

std::uint32_t Estimator::decision_count(SetSizes sizes) const {
  if (!is_permutation(plan_.sketch)) return plain_decision_count_;
  const Constants c = constants(sizes);
  const Wide share = c.c1 + Wide{kUnit - c.c2} * threshold_ / kOne;
  const Wide need = (share * plan_.sketch.size + kUnit - 1) / kUnit;
  return static_cast<std::uint32_t>(std::min<Wide>(need, plan_.sketch.size));
}

Ppm Estimator::similarity_ppm(std::uint32_t count, SetSizes sizes) const {
  const Constants c = constants(sizes);
  const Wide k = plan_.sketch.size;
  const Wide have = Wide{count} * kUnit;
  const Wide chance = k * c.c1;
  if (have <= chance) return 0;
  const Wide span = k * (kUnit - c.c2);
  const Wide ppm = ((have - chance) * kOne + span / 2) / span;
  return static_cast<Ppm>(std::min<Wide>(ppm, kOne));
}

Estimate Estimator::estimate(std::uint32_t count, SetSizes sizes) const {
  const Constants c = constants(sizes);
  const double c1 = static_cast<double>(c.c1) / static_cast<double>(kUnit);
  const double c2 = static_cast<double>(c.c2) / static_cast<double>(kUnit);
  const double k = plan_.sketch.size;
  const double p = count / k;
  const double z2 = kNormal95 * kNormal95;
  const double centre = (p + z2 / (2 * k)) / (1 + z2 / k);
  const double half = kNormal95 * std::sqrt(p * (1 - p) / k + z2 / (4 * k * k)) / (1 + z2 / k);
  const auto similarity = [&](double share) { return nearest_thousandth((share - c1) / (1 - c2)); };
  const Ppm ppm = similarity_ppm(count, sizes);
  return {(ppm + 500) / 1000 * 1000, similarity(centre - half), similarity(centre + half)};
}

}  // namespace neardup
