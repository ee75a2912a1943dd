#include "pipeline/match/passages.h"

#include <algorithm>
#include <unordered_set>

#include "pipeline/base/utf8.h"
#include "storage/keyed_hash.h"

namespace neardup {
namespace {

struct Unit {
  std::size_t begin;
  std::size_t end;
};

std::vector<Unit> word_units(std::string_view text) {
  std::vector<Unit> units;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    units.push_back({begin, end});
    begin = end + 1;
  }
  return units;
}

std::vector<Unit> char_units(std::string_view text) {
  std::vector<Unit> units;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = code_point_end(text, at);
    units.push_back({at, end});
    at = end;
  }
  return units;
}

// The shingles of a text, compared as text and not by hash, so none agree by chance.
struct Cut {
  std::string_view text;
  std::vector<Unit> units;
  std::size_t width;

  std::size_t shingles() const { return units.size() - width + 1; }
  std::string_view shingle(std::size_t i) const {
    return text.substr(units[i].begin, units[i + width - 1].end - units[i].begin);
  }
};

Cut cut(std::string_view text, const ShingleOptions& options) {
  auto units = options.unit == ShingleUnit::kWord ? word_units(text) : char_units(text);
  const std::size_t width = std::min<std::size_t>(options.size, units.size());
  return {text, std::move(units), width};
}

using ShingleTexts = std::unordered_set<std::string_view, KeyedHash>;

ShingleTexts shingle_set(const Cut& cut) {
  ShingleTexts set;
  for (std::size_t i = 0; i < cut.shingles(); ++i) set.insert(cut.shingle(i));
  return set;
}

// For each unit: does a shingle that is in `other` cover it?
std::vector<bool> covered_units(const Cut& cut, const ShingleTexts& other) {
  std::vector<bool> covered(cut.units.size(), false);
  for (std::size_t i = 0; i < cut.shingles(); ++i) {
    if (!other.contains(cut.shingle(i))) continue;
    std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(i), cut.width, true);
  }
  return covered;
}

std::vector<Passage> runs(const Cut& cut, const std::vector<bool>& covered, bool wanted) {
  std::vector<Passage> passages;
  for (std::size_t begin = 0; begin < covered.size();) {
    std::size_t end = begin;
    while (end < covered.size() && covered[end] == covered[begin]) ++end;
    if (covered[begin] == wanted) {
      const std::size_t from = cut.units[begin].begin;
      passages.push_back({cut.text.substr(from, cut.units[end - 1].end - from), end - begin});
    }
    begin = end;
  }
  std::stable_sort(passages.begin(), passages.end(),
                   [](const Passage& a, const Passage& b) { return a.units > b.units; });
  return passages;
}

}  // namespace

Passages compare_passages(std::string_view a, std::string_view b, const ShingleOptions& options) {
  const Cut cut_a = cut(a, options);
  const Cut cut_b = cut(b, options);
  const auto covered_a = covered_units(cut_a, shingle_set(cut_b));
  const auto covered_b = covered_units(cut_b, shingle_set(cut_a));
  return {runs(cut_a, covered_a, true), runs(cut_a, covered_a, false), runs(cut_b, covered_b, true),
          runs(cut_b, covered_b, false)};
}

}  // namespace neardup
