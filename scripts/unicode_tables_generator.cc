// Prints pipeline/text/unicode_tables.cc: a two-stage table from code point to rule, and the
// compositions of letters and marks, computed by ICU.
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pipeline/text/unicode_tables.h"

namespace neardup {
namespace {

constexpr char32_t kCodePoints = 0x110000;
constexpr std::size_t kMostRules = 256;

void require(bool holds, const char* what, char32_t c) {
  if (holds) return;
  std::fprintf(stderr, "U+%04X: %s\n", static_cast<unsigned>(c), what);
  std::exit(1);
}

// docs/formats/text.md, "Tokens".
constexpr std::pair<char32_t, char32_t> kSingleRanges[] = {
    {0x3005, 0x3007}, {0x3021, 0x3029},   {0x3031, 0x3035},  {0x3038, 0x303C},
    {0x3040, 0x30FF}, {0x31F0, 0x31FF},   {0x3400, 0x4DBF},  {0x4E00, 0x9FFF},
    {0xF900, 0xFAFF}, {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFF}};

bool in_single_range(char32_t c) {
  return std::any_of(std::begin(kSingleRanges), std::end(kSingleRanges),
                     [c](auto range) { return range.first <= c && c <= range.second; });
}

// Letters of scripts that are written without spaces.
bool is_spaceless_letter(UChar32 c) {
  return u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT &&
         u_hasBinaryProperty(c, UCHAR_ALPHABETIC) && (U_GET_GC_MASK(c) & U_GC_M_MASK) == 0;
}

class Source {
 public:
  Source()
      : age_(icu::UnicodeString("[:Age=15.0:]"), error_),
        filtered_(*icu::Normalizer2::getNFKCCasefoldInstance(error_), age_),
        nfd_(*icu::Normalizer2::getNFDInstance(error_)) {
    UVersionInfo version;
    u_getUnicodeVersion(version);
    require(U_SUCCESS(error_) && version[0] == 15 && version[1] == 0,
            "ICU with Unicode 15.0 is needed", 0);
  }

  CodePointRule rule(char32_t code_point) {
    const auto c = static_cast<UChar32>(code_point);
    const icu::UnicodeString folded = nfkc_cf_.normalize(icu::UnicodeString(c), error_);
    const icu::UnicodeString parts = nfd_.normalize(folded, error_);
    require(U_SUCCESS(error_), "ICU failed", code_point);
    CodePointRule rule{};
    rule.before = nfkc_cf_.hasBoundaryBefore(c);
    count_marks(parts, rule);
    rule.after = nfkc_cf_.hasBoundaryAfter(c) && rule.trail == 0;
    const int32_t length = folded.countChar32();
    rule.folding = length == 0 ? Folding::kNone : length == 1 ? Folding::kOne : Folding::kMany;
    if (length == 1) {
      rule.shift = folded.char32At(0) - c;
      rule.token = token_class(static_cast<char32_t>(folded.char32At(0)));
      rule.mark_class = u_getCombiningClass(folded.char32At(0));
    }
    rule.plain = length == 1 && rule.token != TokenClass::kLetter;
    rule.quiet = u_getCombiningClass(c) != 0 && parts == icu::UnicodeString(c) &&
                 u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) == UNORM_YES;
    // The code that reads the table relies on these.
    require(!rule.before || (rule.lead == 0 && !rule.only_marks), "boundary before a mark",
            code_point);
    require(!rule.after || !rule.only_marks, "boundary after a mark", code_point);
    require(code_point >= 0x80 || (rule.before && length == 1), "ASCII is plain", code_point);
    return rule;
  }

  // The composition of `base` and `mark`, which both fold to themselves; 0: there is none.
  char32_t composed(char32_t base, char32_t mark) {
    const UChar32 pair[] = {static_cast<UChar32>(base), static_cast<UChar32>(mark)};
    const UChar32 composite = nfkc_cf_.composePair(pair[0], pair[1]);
    if (composite < 0) return 0;
    const auto folded = nfkc_cf_.normalize(icu::UnicodeString::fromUTF32(pair, 2), error_);
    require(U_SUCCESS(error_), "ICU failed", base);
    require(folded == icu::UnicodeString(composite), "a composite stands for itself", base);
    return static_cast<char32_t>(composite);
  }

 private:
  static void count_marks(const icu::UnicodeString& parts, CodePointRule& rule) {
    std::vector<bool> mark;
    for (int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
      mark.push_back(u_getCombiningClass(parts.char32At(i)) != 0);
    }
    const auto first = std::find(mark.begin(), mark.end(), false);
    const auto last = std::find(mark.rbegin(), mark.rend(), false);
    rule.only_marks = first == mark.end();
    rule.lead = static_cast<std::uint8_t>(first - mark.begin());
    rule.trail = static_cast<std::uint8_t>(last - mark.rbegin());
  }

  TokenClass token_class(char32_t code_point) const {
    const auto c = static_cast<UChar32>(code_point);
    const uint32_t categories = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
    const bool word = age_.contains(c) && (u_hasBinaryProperty(c, UCHAR_ALPHABETIC) ||
                                           (U_GET_GC_MASK(c) & categories) != 0);
    if (!word) return TokenClass::kSeparator;
    if (in_single_range(code_point)) return TokenClass::kSingle;
    if (is_spaceless_letter(c)) return TokenClass::kLetter;
    return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0 ? TokenClass::kMark : TokenClass::kWord;
  }

  UErrorCode error_ = U_ZERO_ERROR;
  icu::UnicodeSet age_;
  icu::FilteredNormalizer2 filtered_;
  const icu::Normalizer2& nfkc_cf_ = filtered_;
  const icu::Normalizer2& nfd_;
};

auto key(const CodePointRule& r) {
  return std::make_tuple(r.shift, r.folding, r.token, r.plain, r.before, r.after, r.quiet,
                         r.only_marks, r.lead, r.trail, r.mark_class);
}
struct Less {
  bool operator()(const CodePointRule& a, const CodePointRule& b) const { return key(a) < key(b); }
};
using Counts = std::map<CodePointRule, std::size_t, Less>;

// A rule number is one byte: the rarest shifts are left to ICU.
CodePointRule without_shift(CodePointRule rule) {
  rule.shift = 0;
  rule.folding = Folding::kMany;
  rule.token = TokenClass::kSeparator;
  rule.plain = false;
  rule.mark_class = 0;
  return rule;
}

void keep_frequent(std::vector<CodePointRule>& rules) {
  Counts counts;
  for (const auto& rule : rules) ++counts[rule];
  for (std::size_t rare = 1; counts.size() > kMostRules; ++rare) {
    for (auto& rule : rules) {
      if (rule.shift != 0 && counts.at(rule) == rare) rule = without_shift(rule);
    }
    counts.clear();
    for (const auto& rule : rules) ++counts[rule];
  }
}

template <typename Numbers>
void print_numbers(const Numbers& numbers) {
  std::string line;
  for (auto number : numbers) {
    const std::string text = std::to_string(number) + ",";
    if (line.size() + text.size() > 110) {
      std::printf("%s\n", line.c_str());
      line.clear();
    }
    line += text;
  }
  std::printf("%s\n};\n\n", line.c_str());
}

void print_rules(const std::vector<CodePointRule>& rules) {
  const char* folding[] = {"kNone", "kOne", "kMany"};
  const char* token[] = {"kSeparator", "kWord", "kSingle", "kMark", "kLetter"};
  std::printf("const CodePointRule kRules[] = {\n");
  for (const auto& r : rules) {
    std::printf("{%d,Folding::%s,TokenClass::%s,%d,%d,%d,%d,%d,%d,%d,%d},\n", r.shift,
                folding[static_cast<int>(r.folding)], token[static_cast<int>(r.token)], r.plain,
                r.before, r.after, r.quiet, r.only_marks, r.lead, r.trail, r.mark_class);
  }
  std::printf("};\n\n");
}

// The hash tables of unicode_tables.h.
class Compositions {
 public:
  void add(char32_t base, char32_t mark, char32_t composed) {
    using namespace unicode_tables;
    require(base < 0x10000 && mark < 0x10000 && composed < 0x10000, "a composition has 16 bits",
            base);
    const std::uint32_t key = composition_key(base, mark);
    const std::size_t place = free_place(keys_, key, 0U);
    keys_[place] = key;
    composed_[place] = composed;
    by_composed_[free_place(by_composed_, composed, unsigned{kNoComposition})] =
        static_cast<unsigned>(place);
  }

  void print() const {
    std::printf("const std::uint32_t kCompositionKeys[kCompositionPlaces] = {\n");
    print_numbers(keys_);
    std::printf("const std::uint16_t kComposed[kCompositionPlaces] = {\n");
    print_numbers(composed_);
    std::printf("const std::uint16_t kByComposed[kCompositionPlaces] = {\n");
    print_numbers(by_composed_);
  }

 private:
  using Table = std::vector<unsigned>;

  static std::size_t free_place(const Table& table, std::uint32_t value, unsigned free) {
    std::size_t place = unicode_tables::composition_place(value);
    while (table[place] != free) place = unicode_tables::next_composition_place(place);
    return place;
  }

  Table keys_ = Table(unicode_tables::kCompositionPlaces);
  Table composed_ = Table(unicode_tables::kCompositionPlaces);
  Table by_composed_ =
      Table(unicode_tables::kCompositionPlaces, unsigned{unicode_tables::kNoComposition});
};

// The compositions of every mark of 16 bits.
Compositions find_compositions(Source& source, const std::vector<CodePointRule>& rules) {
  const auto stays = [&](char32_t c) {
    return rules[c].folding == Folding::kOne && rules[c].shift == 0;
  };
  Compositions found;
  for (char32_t mark = 0; mark < 0x10000; ++mark) {
    if (!stays(mark) || rules[mark].lead == 0 || rules[mark].quiet) continue;
    for (char32_t base = 0; base < kCodePoints; ++base) {
      const char32_t composed = stays(base) ? source.composed(base, mark) : 0;
      if (composed != 0) found.add(base, mark, composed);
    }
  }
  return found;
}

void print_tables(const std::vector<CodePointRule>& rule_of_code_point,
                  const Compositions& compositions) {
  constexpr std::size_t kBlock = std::size_t{1} << unicode_tables::kBlockBits;
  std::map<CodePointRule, std::uint8_t, Less> number;
  std::vector<CodePointRule> rules;
  std::map<std::array<std::uint8_t, kBlock>, std::size_t> place;
  std::vector<std::size_t> blocks;
  std::vector<unsigned> rule_of;
  for (std::size_t start = 0; start < kCodePoints; start += kBlock) {
    std::array<std::uint8_t, kBlock> block;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const auto& rule = rule_of_code_point[start + i];
      const auto [at, fresh] = number.emplace(rule, static_cast<std::uint8_t>(rules.size()));
      if (fresh) rules.push_back(rule);
      block[i] = at->second;
    }
    const auto [at, fresh] = place.emplace(block, rule_of.size() / kBlock);
    if (fresh) rule_of.insert(rule_of.end(), block.begin(), block.end());
    blocks.push_back(at->second);
  }
  std::printf("// Written by scripts/generate-unicode-tables from ICU %s. Do not edit.\n",
              U_ICU_VERSION);
  std::printf("#include \"pipeline/text/unicode_tables.h\"\n\n// clang-format off\n");
  std::printf("namespace neardup::unicode_tables {\n\n");
  std::printf("const std::uint16_t kBlocks[0x110000 >> kBlockBits] = {\n");
  print_numbers(blocks);
  std::printf("const std::uint8_t kRuleOf[] = {\n");
  print_numbers(rule_of);
  print_rules(rules);
  compositions.print();
  std::printf("}  // namespace neardup::unicode_tables\n// clang-format on\n");
  std::fprintf(stderr, "%zu rules, %zu bytes of blocks\n", rules.size(), rule_of.size());
}

}  // namespace
}  // namespace neardup

int main() {
  neardup::Source source;
  std::vector<neardup::CodePointRule> rules;
  for (char32_t c = 0; c < neardup::kCodePoints; ++c) rules.push_back(source.rule(c));
  neardup::keep_frequent(rules);
  neardup::print_tables(rules, neardup::find_compositions(source, rules));
}
