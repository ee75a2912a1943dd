#include "pipeline/items/columns.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "pipeline/base/utf8.h"
#include "pipeline/items/edit_distance.h"

namespace neardup {
namespace {

// The finaliser of SplitMix64.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
  return z ^ z >> 31U;
}

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
constexpr std::uint32_t kNone = ~std::uint32_t{0};  // no value

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

// Sets of words, and categories, which are sets of one. Each different word has a keyword, so
// match-counts are exact.
class WordsColumn final : public FieldColumn {
 public:
  void add(const FieldValue& value) override {
    for (const std::string& word : value.words) {
      const auto number = static_cast<std::uint32_t>(numbers_.size());
      words_.push_back(numbers_.try_emplace(word, number).first->second);
    }
    ends_.push_back(words_.size());
  }

  std::uint32_t keywords() const override { return static_cast<std::uint32_t>(numbers_.size()); }

  void append_item(std::uint32_t item, std::uint32_t first,
                   std::vector<std::uint32_t>& to) const override {
    for (std::uint64_t i = ends_[item]; i < ends_[item + 1]; ++i) to.push_back(first + words_[i]);
  }

  void append_query(const FieldValue& value, std::uint32_t first,
                    std::vector<KeywordRange>& to) const override {
    for (const std::string& word : value.words) {
      const auto found = numbers_.find(word);
      if (found != numbers_.end()) to.push_back({first + found->second, first + found->second});
    }
  }

 private:
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> numbers_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> ends_{0};  // in `words_`, of the item before
};

// Numbers by bucket. A range is a run of neighbouring keywords.
class NumberColumn final : public FieldColumn {
 public:
  explicit NumberColumn(const FieldSpec& field)
      : min_(field.min), bucket_(field.bucket), keywords_(bucket(field.max) + 1) {}

  void add(const FieldValue& value) override {
    buckets_.push_back(value.given ? bucket(value.from) : kNone);
  }

  std::uint32_t keywords() const override { return keywords_; }

  void append_item(std::uint32_t item, std::uint32_t first,
                   std::vector<std::uint32_t>& to) const override {
    if (buckets_[item] != kNone) to.push_back(first + buckets_[item]);
  }

  void append_query(const FieldValue& value, std::uint32_t first,
                    std::vector<KeywordRange>& to) const override {
    to.push_back({first + bucket(value.from), first + bucket(value.to)});
  }

 private:
  std::uint32_t bucket(double value) const {
    return static_cast<std::uint32_t>((value - min_) / bucket_);
  }

  double min_;
  double bucket_;
  std::uint32_t keywords_;
  std::vector<std::uint32_t> buckets_;
};

// The same numbers on each machine with the same mathematical library.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  // Above 0, at most 1.
  double unit() { return static_cast<double>((mixed(state_ += kStep) >> 11U) + 1) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(unit())) * std::cos(2 * kPi * unit()); }
  double cauchy() { return std::tan(kPi * (unit() - 0.5)); }
  double gamma2() { return -std::log(unit()) - std::log(unit()); }

 private:
  static constexpr double kPi = 3.14159265358979323846;
  std::uint64_t state_;
};

}  // namespace

void StringColumn::add(const FieldValue& value) {
  bytes_ += value.text;
  ends_.push_back(bytes_.size());
  characters_.push_back(static_cast<std::uint16_t>(count_code_points(value.text)));
}

void StringColumn::append_item(std::uint32_t item, std::uint32_t first,
                               std::vector<std::uint32_t>& to) const {
  append_grams(text(item), first, to);
}

void StringColumn::append_query(const FieldValue& value, std::uint32_t first,
                                std::vector<KeywordRange>& to) const {
  std::vector<std::uint32_t> keywords;
  append_grams(value.text, first, keywords);
  for (const std::uint32_t keyword : keywords) to.push_back({keyword, keyword});
}

void StringColumn::append_grams(std::string_view text, std::uint32_t first,
                                std::vector<std::uint32_t>& to) const {
  thread_local std::vector<std::uint64_t> hashes;  // of n-grams
  thread_local std::vector<char32_t> characters;
  characters.clear();
  const char* at = text.data();
  while (at < text.data() + text.size()) characters.push_back(next_code_point(at));
  hashes.clear();
  for (std::size_t i = 0; i + gram_ <= characters.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::uint32_t j = 0; j < gram_; ++j) hash = (hash + characters[i + j] + 1) * kStep;
    hashes.push_back(mixed(hash));
  }
  std::ranges::sort(hashes);
  std::uint64_t occurrence = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    occurrence = i > 0 && hashes[i] == hashes[i - 1] ? occurrence + 1 : 0;
    const std::uint64_t keyword = mixed(hashes[i] + occurrence * kStep) >> (64 - kKeywordBits);
    to.push_back(first + static_cast<std::uint32_t>(keyword));
  }
}

std::optional<double> StringColumn::distance(const FieldValue& query, std::uint32_t item) const {
  if (characters_[item] == 0) return std::nullopt;
  return EditPattern(query.text).distance(text(item), characters_[item], kMostCharacters);
}

VectorColumn::VectorColumn(const FieldSpec& field)
    : family_(field.family),
      dimensions_(field.dimensions),
      functions_(field.functions != 0 ? field.functions : least_functions(0.06, 0.06)),
      width_(field.width) {}

void VectorColumn::add(const FieldValue& value) {
  places_.push_back(value.given ? static_cast<std::uint32_t>(values_.size() / dimensions_) : kNone);
  values_.insert(values_.end(), value.vector.begin(), value.vector.end());
}

void VectorColumn::finish() {
  if (width_ == 0) width_ = usual_width();
  draw_functions();
}

double VectorColumn::distance(const float* a, const float* b) const {
  double sum = 0;
  for (std::uint32_t i = 0; i < dimensions_; ++i) {
    const double gap = std::abs(double{a[i]} - double{b[i]});
    sum += family_ == VectorFamily::kL2 ? gap * gap : gap;
  }
  return family_ == VectorFamily::kL2 ? std::sqrt(sum) : sum;
}

// A third of the mean distance of some pairs of different vectors: unlike ones then share a small
// part of the buckets, and those at a quarter of that distance most.
double VectorColumn::usual_width() const {
  constexpr std::uint64_t kPairs = 1000;
  const std::uint64_t vectors = values_.size() / dimensions_;
  double sum = 0;
  std::uint64_t pairs = 0;
  for (std::uint64_t i = 0; i < kPairs && vectors > 0; ++i) {
    const float* a = values_.data() + mixed(2 * i) % vectors * dimensions_;
    const float* b = values_.data() + mixed(2 * i + 1) % vectors * dimensions_;
    const double found = distance(a, b);
    sum += found;
    pairs += found > 0 ? 1 : 0;
  }
  return pairs == 0 ? 1 : sum / static_cast<double>(pairs) / 3;
}

void VectorColumn::draw_functions() {
  Draws draws(1);
  const bool binning = family_ == VectorFamily::kLaplacian;
  const std::size_t all = std::size_t{dimensions_} * functions_;
  for (std::size_t i = 0; i < all; ++i) {
    const double drawn = binning                        ? 1 / draws.gamma2()
                         : family_ == VectorFamily::kL2 ? draws.normal()
                                                        : draws.cauchy();
    scales_.push_back(static_cast<float>(drawn / width_));
  }
  for (std::size_t i = 0; i < (binning ? all : functions_); ++i)
    shifts_.push_back(static_cast<float>(draws.unit()));
}

// Functions are the inner loop, so that sums need no reordering to be vectorised.
void VectorColumn::append_buckets(const float* vector, std::uint32_t first,
                                  std::vector<std::uint32_t>& to) const {
  thread_local std::vector<float> sums;
  thread_local std::vector<std::uint64_t> hashes;
  if (family_ == VectorFamily::kLaplacian) {
    hashes.assign(functions_, 0);
    for (std::size_t i = 0, at = 0; i < dimensions_; ++i) {
      for (std::uint32_t j = 0; j < functions_; ++j, ++at) {
        const float bin = std::floor(vector[i] * scales_[at] + shifts_[at]);
        hashes[j] = mixed(hashes[j] + kStep + static_cast<std::uint64_t>(std::llrint(bin)));
      }
    }
  } else {
    sums.assign(shifts_.begin(), shifts_.end());
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const float* const scales = scales_.data() + i * functions_;
      for (std::uint32_t j = 0; j < functions_; ++j) sums[j] += vector[i] * scales[j];
    }
    hashes.clear();
    for (const float sum : sums)
      hashes.push_back(static_cast<std::uint64_t>(std::llrint(std::floor(sum))));
  }
  for (std::uint32_t j = 0; j < functions_; ++j)
    to.push_back(first + j * kBuckets + static_cast<std::uint32_t>(hashes[j] % kBuckets));
}

void VectorColumn::append_item(std::uint32_t item, std::uint32_t first,
                               std::vector<std::uint32_t>& to) const {
  if (places_[item] != kNone) append_buckets(vector(item), first, to);
}

void VectorColumn::append_query(const FieldValue& value, std::uint32_t first,
                                std::vector<KeywordRange>& to) const {
  std::vector<std::uint32_t> keywords;
  append_buckets(value.vector.data(), first, keywords);
  for (const std::uint32_t keyword : keywords) to.push_back({keyword, keyword});
}

std::optional<double> VectorColumn::distance(const FieldValue& query, std::uint32_t item) const {
  if (places_[item] == kNone) return std::nullopt;
  return distance(query.vector.data(), vector(item));
}

std::uint32_t least_functions(double epsilon, double delta) {
  constexpr double kRound = 1e-9;
  const auto inside = [&](std::uint32_t m, double s) {
    double sum = 0;
    for (std::uint32_t c = 0; c <= m; ++c) {
      if (std::abs(c - s * m) > epsilon * m + kRound) continue;
      sum += std::exp(std::lgamma(m + 1.0) - std::lgamma(c + 1.0) - std::lgamma(m - c + 1.0) +
                      c * std::log(s) + (m - c) * std::log(1 - s));
    }
    return sum;
  };
  const auto enough = [&](std::uint32_t m) {
    for (int s = 1; s < 20; ++s) {
      if (inside(m, s / 20.0) < 1 - delta) return false;
    }
    return true;
  };
  std::uint32_t m = 10;
  while (m < kMostScore && !enough(m)) ++m;
  return m;
}

std::unique_ptr<FieldColumn> make_column(const FieldSpec& field) {
  switch (field.kind) {
    case FieldKind::kString:
      return std::make_unique<StringColumn>(field.gram);
    case FieldKind::kWords:
    case FieldKind::kCategory:
      return std::make_unique<WordsColumn>();
    case FieldKind::kNumber:
      return std::make_unique<NumberColumn>(field);
    case FieldKind::kVector:
      return std::make_unique<VectorColumn>(field);
  }
  return nullptr;
}

}  // namespace neardup
