// The rule: exactly the settings that decide a flag. Two runs with equal rules and equal input give
// equal flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/sketch_plan.h"
#include "pipeline/rule/options.h"

namespace neardup {

// Which tokens texts have (docs/formats/text.md, "Model"). Older models are known to migrations
// only.
inline constexpr std::uint32_t kTextModel = 2;

struct Rule {
  std::uint32_t text_model = kTextModel;
  TextOptions text;
  SketchPlan plan;  // with bands and rows as solved
  std::uint32_t bucket_cap = 64;
  DecisionOptions decision;
  RetentionOptions retention;
  // Of a rule that was read from a state whose seed is not known here: the check value of that
  // seed. `plan.sketch.seed` is another one then, so no sketch, bucket or hash of a text can be
  // made that compares with what is stored.
  std::optional<std::uint64_t> unknown_seed = {};
};

// The rule spelled out, one "key: value" a line, the seed by its check value only. Stored with the
// state.
std::string rule_text(const Rule& rule);

// 16 hex digits of a hash of the text; in every flag.
std::string rule_fingerprint(std::string_view rule_text);

// The rule of a text, of this text model or an older one; it gives that text again. The seed is not
// in it: one that is not the default is unknown. Nothing when the text is not one of this version.
std::optional<Rule> parse_rule(std::string_view rule_text);

// Gives the rule its seed. False, and nothing is changed, when `seed` is another one.
bool give_seed(Rule& rule, const Seed& seed);

// The lines in which two rule texts differ, both sides shown, for people.
std::string rule_difference(std::string_view stored, std::string_view wanted);

}  // namespace neardup
