#include "pipeline/rule.h"

#include <xxhash.h>

#include <map>
#include <set>

#include <fmt/core.h>

#include "gpu/keys.h"
#include "gpu/option_names.h"
#include "pipeline/option_names.h"

namespace neardup {
namespace {

// Raised when the same keys begin to mean something else: tokens, hashes, choice of the original.
constexpr int kRuleVersion = 1;
constexpr std::string_view kUnicodeVersion = "15.0";

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

std::string value_or_none(const std::map<std::string, std::string>& lines, const std::string& key) {
  const auto it = lines.find(key);
  return it == lines.end() ? "(none)" : it->second;
}

}  // namespace

std::string rule_text(const Rule& rule) {
  const SketchOptions& sketch = rule.plan.sketch;
  std::string text = fmt::format("rule_version: {}\nunicode: {}\n", kRuleVersion, kUnicodeVersion);
  const auto add = [&](std::string_view key, auto value) { text += fmt::format("{}: {}\n", key, value); };
  add("threshold_ppm", rule.decision.threshold);
  add("against", name(rule.decision.against));
  add("verify.mode", name(rule.decision.verify));
  add("text.invalid_utf8", name(rule.text.invalid_utf8));
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
  add("sketch.seed_check", fmt::format("{:016x}", seed_check_value(sketch.seed)));
  add("lsh.bands", rule.plan.bands);
  add("lsh.rows", rule.plan.rows);
  add("lsh.bucket_cap", rule.bucket_cap);
  return text;
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
