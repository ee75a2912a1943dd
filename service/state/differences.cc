#include "service/state/differences.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "storage/keyed_hash.h"

namespace neardup {
namespace {

constexpr std::size_t kContext = 12;   // words next to a change
constexpr std::size_t kLeastFold = 8;  // words that are worth a fold
constexpr std::size_t kSplinter = 2;   // equal words that do not part two longer changes

std::string_view word(const WordsOfText& side, std::size_t i) {
  const ByteRange range = side.ranges.pieces()[i].normalised;
  return side.normalised.substr(range.begin, range.end - range.begin);
}

// Equal words have equal numbers, counted from 0.
class WordNumbers {
 public:
  std::vector<std::uint32_t> of(const WordsOfText& side, ElementRange range) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(range.size());
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      numbers.push_back(numbers_.try_emplace(word(side, i), next).first->second);
    }
    return numbers;
  }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<std::string_view, std::uint32_t, KeyedHash> numbers_;
};

// The words that are neither in the common beginning nor in the common end: most texts have few.
Change middle_of(const WordsOfText& a, const WordsOfText& b) {
  Change middle{{0, a.ranges.pieces().size()}, {0, b.ranges.pieces().size()}};
  const auto words_left = [&] { return middle.a.size() > 0 && middle.b.size() > 0; };
  while (words_left() && word(a, middle.a.begin) == word(b, middle.b.begin))
    ++middle.a.begin, ++middle.b.begin;
  while (words_left() && word(a, middle.a.end - 1) == word(b, middle.b.end - 1))
    --middle.a.end, --middle.b.end;
  return middle;
}

std::size_t longer(const Change& change) { return std::max(change.a.size(), change.b.size()); }

// Changes with a word or two between them are easier to read as one, where they are longer than it.
std::vector<Change> without_splinters(const std::vector<Change>& changes) {
  std::vector<Change> joined;
  for (const Change& change : changes) {
    const std::size_t between = joined.empty() ? 0 : change.a.begin - joined.back().a.end;
    if (joined.empty() || between > kSplinter || between >= longer(joined.back()) ||
        between >= longer(change)) {
      joined.push_back(change);
    } else {
      joined.back().a.end = change.a.end;
      joined.back().b.end = change.b.end;
    }
  }
  return joined;
}

// How far a text is in parts.
class Cursor {
 public:
  explicit Cursor(const WordsOfText& side) : raw_(side.raw), pieces_(side.ranges.pieces()) {}

  std::size_t words() const { return words_; }
  // To the end of the last word before `word`.
  std::string_view through(std::size_t word) {
    return take(word, word == 0 ? 0 : pieces_[word - 1].raw.end);
  }
  // To the begin of `word`, or to the end of the text where it has no more words.
  std::string_view up_to(std::size_t word) {
    return take(word, word == pieces_.size() ? raw_.size() : pieces_[word].raw.begin);
  }

 private:
  std::string_view take(std::size_t word, std::size_t end) {
    const std::string_view taken = raw_.substr(at_, end - at_);
    at_ = end;
    words_ = word;
    return taken;
  }

  std::string_view raw_;
  std::span<const RawRanges::Piece> pieces_;
  std::size_t words_ = 0;
  std::size_t at_ = 0;
};

// Makes the parts of changes in their order.
class PartWriter {
 public:
  PartWriter(const WordsOfText& a, const WordsOfText& b) : a_(a), b_(b) {}

  void change(const Change& change) {
    const std::size_t words = fold(change.a.begin, kContext);
    // What a side lacks follows its last word; else the blanks before a word are equal ones.
    const auto before = [](Cursor& side, const ElementRange& range) {
      return range.size() == 0 ? side.through(range.begin) : side.up_to(range.begin);
    };
    const std::string_view equal_a = before(a_, change.a);
    add(DifferencePart::Kind::kEqual, equal_a, before(b_, change.b), words);
    const std::string_view changed_a = a_.through(change.a.end);
    add(DifferencePart::Kind::kChanged, changed_a, b_.through(change.b.end), longer(change));
  }

  std::vector<DifferencePart> end(std::size_t words_a, std::size_t words_b) {
    const std::size_t words = fold(words_a, 0);
    const std::string_view rest_a = a_.up_to(words_a);
    add(DifferencePart::Kind::kEqual, rest_a, b_.up_to(words_b), words);
    return std::move(parts_);
  }

 private:
  // Folds the equal words up to `end` of A, except for context and the last `tail` words. Returns
  // how many are left.
  std::size_t fold(std::size_t end, std::size_t tail) {
    const std::size_t words = end - a_.words();
    const std::size_t head = parts_.empty() ? 0 : kContext;
    if (words < head + tail + kLeastFold) return words;
    const std::string_view head_a = a_.through(a_.words() + head);
    add(DifferencePart::Kind::kEqual, head_a, b_.through(b_.words() + head), head);
    const std::size_t folded = words - head - tail;
    const std::string_view folded_a = a_.up_to(a_.words() + folded);
    add(DifferencePart::Kind::kFolded, folded_a, b_.up_to(b_.words() + folded), folded);
    return tail;
  }

  void add(DifferencePart::Kind kind, std::string_view a, std::string_view b, std::size_t words) {
    if (!a.empty() || !b.empty()) parts_.push_back({kind, a, b, words});
  }

  Cursor a_;
  Cursor b_;
  std::vector<DifferencePart> parts_;
};

}  // namespace

Differences differences_of(const WordsOfText& a, const WordsOfText& b) {
  const Change middle = middle_of(a, b);
  WordNumbers numbers;
  const auto of_a = numbers.of(a, middle.a);
  const auto of_b = numbers.of(b, middle.b);
  const EditScript script = edit_script(of_a, of_b, numbers.size());
  PartWriter writer(a, b);
  const auto changes = without_splinters(script.changes);
  if (changes.empty()) return {};
  for (const auto& [in_a, in_b] : changes) {
    writer.change({{middle.a.begin + in_a.begin, middle.a.begin + in_a.end},
                   {middle.b.begin + in_b.begin, middle.b.begin + in_b.end}});
  }
  return {writer.end(a.ranges.pieces().size(), b.ranges.pieces().size()), changes.size(),
          script.shortest};
}

}  // namespace neardup
