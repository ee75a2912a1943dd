#include "pipeline/rule/rule.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "gpu/keys.h"
#include "gpu/options.h"
#include "pipeline/rule/options.h"

namespace neardup {
namespace {

// To be raised when the meaning of the keys changes: tokens, hashes, choice of the original.
constexpr int kRuleVersion = 1;
constexpr std::string_view kUnicodeVersion = "15.0";
constexpr std::uint32_t kFirstTextModel = 1;  // its rule texts do not name it

std::map<std::string, std::string> parse(std::string_view text) {
  std::map<std::string, std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t colon = std::min(line.find(": "), line.size());
    lines.emplace(line.substr(0, colon), line.substr(std::min(colon + 2, line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Reads the lines of a rule text; `ok` becomes false at the first that is missing or malformed.
struct Reader {
  std::map<std::string, std::string> lines;
  bool ok = true;

  std::string text(const std::string& key) {
    const auto it = lines.find(key);
    if (it != lines.end()) return it->second;
    ok = false;
    return "";
  }
  template <class Number>
  void number(const std::string& key, Number& value) {
    const std::string word = text(key);
    const auto end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, value);
    ok = ok && error == std::errc() && at == end;
  }
  std::uint64_t hexadecimal(const std::string& key) {
    const std::string word = text(key);
    const auto end = word.data() + word.size();
    std::uint64_t value = 0;
    const auto [at, error] = std::from_chars(word.data(), end, value, 16);
    ok = ok && error == std::errc() && at == end;
    return value;
  }
  template <class Number>
  void number_if_given(const std::string& key, Number& value) {
    if (lines.contains(key)) number(key, value);
  }
  template <class Enum>
  void word(const std::string& key, Enum& value) {
    const auto words = names(Enum{});
    const auto it = std::find(words.begin(), words.end(), text(key));
    ok = ok && it != words.end();
    if (ok) value = static_cast<Enum>(it - words.begin());
  }
};

std::uint64_t seed_check(const Rule& rule) {
  return rule.unknown_seed.value_or(seed_check_value(rule.plan.sketch.seed));
}

std::string value_or_none(const std::map<std::string, std::string>& lines, const std::string& key) {
  const auto it = lines.find(key);
  return it == lines.end() ? "(none)" : it->second;
}

}  // namespace

std::string rule_text(const Rule& rule) {
  const SketchOptions& sketch = rule.plan.sketch;
  std::string text = fmt::format("rule_version: {}\nunicode: {}\n", kRuleVersion, kUnicodeVersion);
  const auto add = [&](std::string_view key, auto value) {
    text += fmt::format("{}: {}\n", key, value);
  };
  if (rule.text_model != kFirstTextModel) add("text.model", rule.text_model);
  add("threshold_ppm", rule.decision.threshold);
  add("against", name(rule.decision.against));
  add("verify.mode", name(rule.decision.verify));
  add("text.invalid_utf8", name(rule.text.invalid_utf8));
  if (rule.text.fold != TextFold::kNone) add("text.fold", name(rule.text.fold));
  add("text.min_tokens", rule.text.min_tokens);
  add("text.max_bytes", rule.text.max_bytes);
  add("shingle.unit", name(rule.plan.shingle.unit));
  add("shingle.size", rule.plan.shingle.size);
  add("sketch.family", name(sketch.family));
  if (sketch.family == SketchFamily::kMinhash) {
    add("sketch.hash", name(sketch.hash));
    add("sketch.universe", sketch.universe);
  }
  add("sketch.size", sketch.size);
  add("sketch.bits", sketch.bits);
  add("sketch.seed_check", fmt::format("{:016x}", seed_check(rule)));
  add("lsh.bands", rule.plan.bands);
  add("lsh.rows", rule.plan.rows);
  add("lsh.bucket_cap", rule.bucket_cap);
  const RetentionOptions& retention = rule.retention;
  if (retention.max_age_ms != 0) {
    add("retention.max_age_ms", retention.max_age_ms);
    add("retention.max_step_ms", retention.max_step_ms);
  }
  if (retention.max_documents != 0) add("retention.max_documents", retention.max_documents);
  if (retention.max_bytes != 0) add("retention.max_bytes", retention.max_bytes);
  return text;
}

std::optional<Rule> parse_rule(std::string_view rule_text) {
  Reader in{parse(rule_text)};
  Rule rule;
  int version = 0;
  in.number("rule_version", version);
  rule.text_model = kFirstTextModel;
  in.number_if_given("text.model", rule.text_model);
  in.number("threshold_ppm", rule.decision.threshold);
  in.word("against", rule.decision.against);
  in.word("verify.mode", rule.decision.verify);
  in.word("text.invalid_utf8", rule.text.invalid_utf8);
  if (in.lines.contains("text.fold")) in.word("text.fold", rule.text.fold);
  in.number("text.min_tokens", rule.text.min_tokens);
  in.number("text.max_bytes", rule.text.max_bytes);
  in.word("shingle.unit", rule.plan.shingle.unit);
  in.number("shingle.size", rule.plan.shingle.size);
  SketchOptions& sketch = rule.plan.sketch;
  in.word("sketch.family", sketch.family);
  if (sketch.family == SketchFamily::kMinhash) {
    in.word("sketch.hash", sketch.hash);
    in.number("sketch.universe", sketch.universe);
  }
  in.number("sketch.size", sketch.size);
  in.number("sketch.bits", sketch.bits);
  rule.unknown_seed = in.hexadecimal("sketch.seed_check");
  give_seed(rule, Seed());
  in.number("lsh.bands", rule.plan.bands);
  in.number("lsh.rows", rule.plan.rows);
  in.number("lsh.bucket_cap", rule.bucket_cap);
  in.number_if_given("retention.max_age_ms", rule.retention.max_age_ms);
  in.number_if_given("retention.max_step_ms", rule.retention.max_step_ms);
  in.number_if_given("retention.max_documents", rule.retention.max_documents);
  in.number_if_given("retention.max_bytes", rule.retention.max_bytes);
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
