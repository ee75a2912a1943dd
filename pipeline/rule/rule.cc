#include "pipeline/rule/rule.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "gpu/keys.h"
#include "gpu/options.h"
#include "pipeline/rule/options.h"

namespace neardup {
namespace {

// To be raised when the meaning of the keys changes: tokens, hashes, choice of the original.
constexpr int kRuleVersion = 1;
constexpr std::string_view kUnicodeVersion = "15.0";
constexpr std::uint32_t kFirstTextModel = 1;  // its rule texts do not name it

using Lines = std::map<std::string, std::string, std::less<>>;

Lines parse(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t colon = std::min(line.find(": "), line.size());
    lines.emplace(line.substr(0, colon), line.substr(std::min(colon + 2, line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Appends the lines of a rule text.
struct RuleWriter {
  std::string text = {};

  template <class Number>
  void number(std::string_view key, Number value) {
    text += fmt::format("{}: {}\n", key, value);
  }
  template <class Enum>
  void word(std::string_view key, Enum value) {
    number(key, name(value));
  }
  void hexadecimal(std::string_view key, std::uint64_t value) {
    text += fmt::format("{}: {:016x}\n", key, value);
  }
  bool has(std::string_view /*key*/, bool set) { return set; }
};

// Reads them; `ok` becomes false at the first that is missing or malformed.
struct RuleReader {
  Lines lines;
  bool ok = true;

  std::string_view text(std::string_view key) {
    const auto it = lines.find(key);
    ok = ok && it != lines.end();
    return ok ? std::string_view(it->second) : "";
  }
  template <class Number>
  void number(std::string_view key, Number& value, int base = 10) {
    const std::string_view word = text(key);
    const auto end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, value, base);
    ok = ok && error == std::errc() && at == end;
  }
  template <class Enum>
  void word(std::string_view key, Enum& value) {
    const auto words = names(Enum{});
    const auto it = std::find(words.begin(), words.end(), text(key));
    ok = ok && it != words.end();
    if (ok) value = static_cast<Enum>(it - words.begin());
  }
  void hexadecimal(std::string_view key, std::uint64_t& value) { number(key, value, 16); }
  // Whether a line is there that is written where the setting is set.
  bool has(std::string_view key, bool /*set*/) { return lines.contains(key); }
};

// The lines of a rule text: all settings that decide a flag, in an order that never changes. A new
// setting has a line only where it is set, so that older rules keep their fingerprints.
template <class Io, class ARule>
void rule_lines(Io& io, ARule& rule, int& version, std::uint64_t& check) {
  auto& sketch = rule.plan.sketch;
  auto& retention = rule.retention;
  io.number("rule_version", version);
  if constexpr (std::is_same_v<Io, RuleWriter>) io.number("unicode", kUnicodeVersion);
  if (io.has("text.model", rule.text_model != kFirstTextModel)) {
    io.number("text.model", rule.text_model);
  }
  io.number("threshold_ppm", rule.decision.threshold);
  io.word("against", rule.decision.against);
  io.word("verify.mode", rule.decision.verify);
  io.word("text.invalid_utf8", rule.text.invalid_utf8);
  if (io.has("text.fold", rule.text.fold != TextFold::kNone)) io.word("text.fold", rule.text.fold);
  io.number("text.min_tokens", rule.text.min_tokens);
  io.number("text.max_bytes", rule.text.max_bytes);
  io.word("shingle.unit", rule.plan.shingle.unit);
  io.number("shingle.size", rule.plan.shingle.size);
  io.word("sketch.family", sketch.family);
  if (sketch.family == SketchFamily::kMinhash) {
    io.word("sketch.hash", sketch.hash);
    io.number("sketch.universe", sketch.universe);
  }
  io.number("sketch.size", sketch.size);
  io.number("sketch.bits", sketch.bits);
  io.hexadecimal("sketch.seed_check", check);
  io.number("lsh.bands", rule.plan.bands);
  io.number("lsh.rows", rule.plan.rows);
  io.number("lsh.bucket_cap", rule.bucket_cap);
  if (io.has("retention.max_age_ms", retention.max_age_ms != 0)) {
    io.number("retention.max_age_ms", retention.max_age_ms);
    io.number("retention.max_step_ms", retention.max_step_ms);
  }
  if (io.has("retention.max_documents", retention.max_documents != 0)) {
    io.number("retention.max_documents", retention.max_documents);
  }
  if (io.has("retention.max_bytes", retention.max_bytes != 0)) {
    io.number("retention.max_bytes", retention.max_bytes);
  }
}

std::uint64_t seed_check(const Rule& rule) {
  return rule.unknown_seed.value_or(seed_check_value(rule.plan.sketch.seed));
}

std::string value_or_none(const Lines& lines, const std::string& key) {
  const auto it = lines.find(key);
  return it == lines.end() ? "(none)" : it->second;
}

}  // namespace

std::string rule_text(const Rule& rule) {
  RuleWriter out;
  int version = kRuleVersion;
  std::uint64_t check = seed_check(rule);
  rule_lines(out, rule, version, check);
  return std::move(out.text);
}

std::optional<Rule> parse_rule(std::string_view rule_text) {
  RuleReader in{parse(rule_text)};
  Rule rule;
  rule.text_model = kFirstTextModel;
  int version = 0;
  std::uint64_t check = 0;
  rule_lines(in, rule, version, check);
  rule.unknown_seed = check;
  give_seed(rule, Seed());
  const bool known_model = rule.text_model >= kFirstTextModel && rule.text_model <= kTextModel;
  if (!in.ok || version != kRuleVersion || !known_model) return std::nullopt;
  return rule;
}

bool give_seed(Rule& rule, const Seed& seed) {
  if (seed_check_value(seed) != seed_check(rule)) return false;
  rule.plan.sketch.seed = seed;
  rule.unknown_seed.reset();
  return true;
}

std::string rule_fingerprint(std::string_view rule_text) {
  return fmt::format("{:016x}", XXH3_64bits(rule_text.data(), rule_text.size()));
}

std::string rule_difference(std::string_view stored, std::string_view wanted) {
  const auto ours = parse(wanted);
  const auto theirs = parse(stored);
  std::set<std::string> keys;
  for (const auto& [key, value] : ours) keys.insert(key);
  for (const auto& [key, value] : theirs) keys.insert(key);
  std::string text;
  for (const std::string& key : keys) {
    const std::string a = value_or_none(theirs, key);
    const std::string b = value_or_none(ours, key);
    if (a != b) text += fmt::format("\n  {}: {} in the state, {} now", key, a, b);
  }
  return text;
}

}  // namespace neardup
