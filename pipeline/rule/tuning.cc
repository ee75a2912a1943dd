#include "pipeline/rule/tuning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pipeline/rule/binomial.h"
#include "pipeline/rule/estimate.h"

namespace neardup {
namespace {

// Chances of 0, 1, 2 … equal values.
using Counts = std::vector<double>;

Counts product(const Counts& a, const Counts& b) {
  Counts result(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  }
  return result;
}

// For the values of all bands, without the outcomes in which a whole band is equal.
Counts without_a_bucket(const SketchShape& shape, double p) {
  Counts band = binomial(shape.rows, p);
  band.back() = 0;
  Counts result{1};
  for (std::uint32_t i = 0; i < shape.bands; ++i) result = product(result, band);
  return result;
}

// Chance that the sum of both is at least `count`.
double at_least(const Counts& a, const Counts& b, std::uint32_t count) {
  Counts tail(b.size() + 1, 0.0);  // tail[i]: b gives i or more
  for (std::size_t i = b.size(); i-- > 0;) tail[i] = tail[i + 1] + b[i];
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t missing = count > i ? count - i : 0;
    if (missing < tail.size()) sum += a[i] * tail[missing];
  }
  return sum;
}

std::uint32_t count_wanted(const Rule& rule) {
  const Estimator estimator(rule.plan, rule.decision.threshold);
  switch (rule.decision.verify) {
    case VerifyMode::kNone:
      return 0;
    case VerifyMode::kSketch:
      return estimator.decision_count();
    case VerifyMode::kExact:
      return estimator.lower_count();
  }
  return 0;
}

bool below(double jaccard, Ppm threshold) {
  return static_cast<Ppm>(std::lround(jaccard * kOne)) < threshold;
}

// ⌈x⌉ where the rounding of logarithms must not lift a whole number to the next.
std::uint64_t ceiling(double x) { return static_cast<std::uint64_t>(std::ceil(x * (1 - 1e-12))); }

}  // namespace

CurvePoint curve_point(const Rule& rule, double jaccard) {
  const SketchShape shape = rule.plan.shape();
  const double p = value_collision(jaccard, shape.bits);
  const std::uint32_t wanted = count_wanted(rule);
  CurvePoint point{jaccard, meeting_chance(jaccard, shape.bits, {shape.bands, shape.rows}), 0, 0};
  const std::uint32_t banded = shape.bands * shape.rows;
  const Counts rest = binomial(shape.slots - banded, p);
  point.reaches = std::min(1.0, at_least(binomial(banded, p), rest, wanted));
  const bool never =
      rule.decision.verify == VerifyMode::kExact && below(jaccard, rule.decision.threshold);
  if (never) return point;
  const double apart = at_least(without_a_bucket(shape, p), rest, wanted);
  point.flagged = std::max(0.0, point.reaches - apart);
  return point;
}

std::vector<CurvePoint> curve(const Rule& rule, unsigned steps) {
  std::vector<CurvePoint> points;
  for (unsigned i = 0; i <= steps; ++i)
    points.push_back(curve_point(rule, static_cast<double>(i) / steps));
  return points;
}

Quality even_quality(const std::vector<CurvePoint>& curve, Ppm threshold) {
  double similar = 0;
  double flagged = 0;
  double right = 0;
  for (const CurvePoint& point : curve) {
    flagged += point.flagged;
    if (below(point.jaccard, threshold)) continue;
    similar += 1;
    right += point.flagged;
  }
  return {right / similar, flagged > 0 ? right / flagged : 1};
}

double chance_meetings(const Bands& bands, std::uint32_t bits, std::uint64_t documents) {
  return static_cast<double>(documents) * bands.bands *
         std::exp2(-static_cast<double>(bits) * bands.rows);
}

std::vector<Bands> alternatives(const Rule& rule, double recall, std::uint32_t least_rows,
                                std::uint32_t around) {
  const std::uint32_t chosen = rule.plan.rows;
  const double threshold = rule.decision.threshold / 1e6;
  std::vector<Bands> found;
  for (std::uint32_t rows = std::max(least_rows, chosen - std::min(chosen, around));
       rows <= chosen + around; ++rows) {
    Bands choice{1, rows};
    while (choice.bands * rows <= rule.plan.sketch.size &&
           meeting_chance(threshold, rule.plan.sketch.bits, choice) < recall) {
      ++choice.bands;
    }
    if (choice.bands * rows <= rule.plan.sketch.size) found.push_back(choice);
  }
  return found;
}

double framework_rho(double j1, double j2) { return std::log(j1) / std::log(j2); }

FrameworkChoice framework_choice(double j1, double j2, std::uint64_t documents) {
  const double n = static_cast<double>(documents);
  return {ceiling(std::log(n) / -std::log(j2)), ceiling(std::pow(n, framework_rho(j1, j2)))};
}

FrameworkChoice lowered_choice(double j1, double j2, std::uint64_t documents,
                               std::uint32_t per_word) {
  const double strangers = static_cast<double>(documents) / per_word;
  const std::uint64_t rows =
      strangers <= 1 ? 1 : std::max<std::uint64_t>(1, ceiling(std::log(strangers) / -std::log(j2)));
  return {rows, ceiling(std::pow(1 / j1, static_cast<double>(rows)))};
}

double found_chance(const FrameworkChoice& choice, double collision) {
  const double one = std::pow(collision, static_cast<double>(choice.rows));
  return 1 - std::pow(1 - one, static_cast<double>(choice.tables));
}

}  // namespace neardup
