#include "config/suggest.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "config/fields.h"

namespace neardup {
namespace {

constexpr std::size_t kLongestQuote = 60;

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last =
        std::exchange(last, std::exchange(row, std::vector<std::size_t>(b.size() + 1, i)));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, last[j] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

// Keeps the nearest candidate within the allowed distance; of equals, the first.
class Nearest {
 public:
  void offer(std::string_view typed, std::string_view candidate, std::string_view answer,
             std::size_t handicap = 0) {
    const std::size_t allowed = std::min<std::size_t>(3, candidate.size() / 3);
    // The lengths alone differ by more than the allowed distance.
    if (typed.size() > candidate.size() + allowed || candidate.size() > typed.size() + allowed)
      return;
    const std::size_t distance = edit_distance(typed, candidate);
    if (distance > allowed) return;
    if (distance + handicap >= best_) return;
    best_ = distance + handicap;
    answer_ = answer;
  }
  std::string_view answer() const { return answer_; }

 private:
  std::size_t best_ = std::numeric_limits<std::size_t>::max();
  std::string_view answer_;
};

// The longest start of `text` that fits a message and ends between characters.
std::string_view cut(std::string_view text) {
  if (text.size() <= kLongestQuote) return text;
  std::size_t end = kLongestQuote;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

bool printable(char c) { return c >= ' ' && c != '\x7f' && c != '`'; }

}  // namespace

std::string_view similar_key(std::string_view typed) {
  Nearest nearest;
  const std::string_view leaf = leaf_of(typed);
  for (const Field& field : fields()) {
    const bool same_section = section_of(field.key) == section_of(typed);
    nearest.offer(same_section ? leaf : typed, same_section ? leaf_of(field.key) : field.key,
                  field.key);
    for (const std::string_view other : field.other_names) nearest.offer(leaf, other, field.key);
    nearest.offer(leaf, leaf_of(field.key), field.key, 2);  // right name, wrong section
  }
  return nearest.answer();
}

std::string_view similar_variable(std::string_view typed) {
  Nearest nearest;
  for (const Field& field : fields()) {
    nearest.offer(typed, std::string_view(environment_name(field.key)).substr(8), field.key);
    for (const std::string_view other : field.other_names) {
      nearest.offer(typed, std::string_view(environment_name(other)).substr(8), field.key);
    }
  }
  return nearest.answer();
}

std::string_view similar_section(std::string_view typed) {
  Nearest nearest;
  for (const Section& section : sections()) nearest.offer(typed, section.name, section.name);
  return nearest.answer();
}

std::string_view similar_name(std::string_view typed, const std::vector<std::string>& names) {
  Nearest nearest;
  for (const std::string& name : names) nearest.offer(typed, name, name);
  return nearest.answer();
}

std::string quote(std::string_view text) {
  std::string quoted = "`";
  for (const char c : cut(text)) {
    if (printable(c) || static_cast<unsigned char>(c) >= 0x80) {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return quoted + (text.size() > kLongestQuote ? "…`" : "`");
}

}  // namespace neardup
