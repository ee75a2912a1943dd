#include "service/state/settings.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "config/fields.h"
#include "config/values.h"
#include "pipeline/base/failure.h"
#include "pipeline/rule/bands.h"
#include "pipeline/state_keys.h"

namespace neardup {
namespace {

// Puts the settings of a rule into a configuration.
void put_rule(const Rule& rule, Config& config) {
  config.text = rule.text;
  config.shingle = rule.plan.shingle;
  config.sketch = rule.plan.sketch;
  config.lsh.bands = rule.plan.bands;
  config.lsh.rows = rule.plan.rows;
  config.lsh.bucket_cap = rule.bucket_cap;
  config.decision = rule.decision;
  config.retention = rule.retention;
  // A state that is verified by texts has them.
  if (rule.decision.verify == VerifyMode::kExact) config.storage.keep_texts = KeepTexts::kKept;
}

// As make_rule, with the bands that the configuration names.
std::string text_of_rule(const Config& config) {
  Rule rule;
  rule.text = config.text;
  rule.plan = {config.shingle, config.sketch, config.lsh.bands, config.lsh.rows};
  rule.bucket_cap = config.lsh.bucket_cap;
  rule.decision = config.decision;
  rule.retention = config.retention;
  return rule_text(rule);
}

// Settings that were given, against a rule.
class Given {
 public:
  Given(const LoadResult& loaded, const Rule& rule, const Config& base)
      : loaded_(loaded), given_(loaded.config), rule_(rule), base_(base) {}

  // How the setting contradicts the rule. Empty: it does not.
  std::string contradiction(std::string_view key) const {
    if (key == "sketch.seed" || key == "sketch.seed_file") return of_seed();
    if (key == "lsh.recall") return of_recall();
    const Field* field = find_field(key);
    // 0 leaves bands and rows to lsh.recall.
    const bool solved = (key == "lsh.bands" && given_.lsh.bands == 0) ||
                        (key == "lsh.rows" && given_.lsh.rows == 0);
    if (field == nullptr || solved) return {};
    const std::string value = print_value(*field, given_);
    Config changed = base_;
    if (!parse_value(*field, value, changed)) return {};
    if (text_of_rule(changed) == text_of_rule(base_)) return {};
    return fmt::format("`{}` is {}, that of the state is {}", key, value,
                       print_value(*field, base_));
  }

 private:
  std::string of_seed() const {
    Rule rule = rule_;
    // A seed that could not be read is among the problems.
    if (give_seed(rule, given_.sketch.seed) || !loaded_.problems.empty()) return {};
    return "the seed given is not that of the state";
  }

  std::string of_recall() const {
    if (loaded_.given.contains("lsh.bands") && given_.lsh.bands != 0) return {};
    const SketchPlan& plan = rule_.plan;
    const Bands solved = solve_bands({.recall = given_.lsh.recall}, plan.sketch,
                                     rule_.decision.threshold, given_.storage.expected_documents);
    if (solved == Bands{plan.bands, plan.rows}) return {};
    return fmt::format("`lsh.recall` gives {} bands of {} rows, the state has {} of {}",
                       solved.bands, solved.rows, plan.bands, plan.rows);
  }

  const LoadResult& loaded_;
  const Config& given_;
  const Rule& rule_;
  const Config& base_;
};

void refuse_contradictions(const LoadResult& loaded, const Rule& rule, const Config& base) {
  const Given given(loaded, rule, base);
  std::string lines;
  for (const auto& [key, where] : loaded.given) {
    const std::string line = given.contradiction(key);
    if (!line.empty()) lines += fmt::format("\n  {}: {}", where, line);
  }
  if (lines.empty()) return;
  throw Failure(Exit::kConfig,
                fmt::format("the state was made under rule {}, which is used to read it; settings "
                            "that were given contradict it:{}\nLeave them out.",
                            rule_fingerprint(rule_text(rule)), lines));
}

StateSettings settings_as_given(const std::string& stored, const LoadSettings& load) {
  StateSettings settings{require_usable(load(nullptr)), {}};
  settings.rule = make_rule(settings.config);
  if (!stored.empty()) require_same_rule(stored, settings.rule);
  return settings;
}

}  // namespace

Config require_usable(LoadResult result) {
  if (result.problems.empty()) return std::move(result.config);
  std::string message = "the configuration cannot be used:";
  for (const std::string& problem : result.problems) message += "\n  " + problem;
  throw Failure(Exit::kConfig, message);
}

Rule make_rule(const Config& config) {
  const Bands bands = solve_bands(config.lsh, config.sketch, config.decision.threshold,
                                  config.storage.expected_documents);
  Rule rule;
  rule.text = config.text;
  rule.plan = {config.shingle, config.sketch, bands.bands, bands.rows};
  rule.bucket_cap = config.lsh.bucket_cap;
  rule.decision = config.decision;
  rule.retention = config.retention;
  return rule;
}

StateSettings settings_over(const std::string& stored, const LoadSettings& load) {
  std::optional<Rule> rule = parse_rule(stored);
  const bool known = rule && rule->text_model == kTextModel && rule_text(*rule) == stored;
  if (!known) return settings_as_given(stored, load);
  Config base;
  put_rule(*rule, base);
  LoadResult loaded = load(&base);
  refuse_contradictions(loaded, *rule, base);
  StateSettings settings{require_usable(std::move(loaded)), *std::move(rule)};
  give_seed(settings.rule, settings.config.sketch.seed);
  put_rule(settings.rule, settings.config);
  return settings;
}

}  // namespace neardup
