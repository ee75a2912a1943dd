#include "pipeline/state_keys.h"

#include <fmt/core.h>

#include <charconv>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

void refuse_old_text_model(const Rule& rule) {
  if (rule.text_model == kTextModel) return;
  throw Failure(
      Exit::kConfig,
      fmt::format(
          "the state has text model {}, and this program {}: texts in Thai, Lao, Khmer, Burmese "
          "and other scripts without spaces have other tokens. `neardup migrate -c CONFIG --state "
          "DIR`, with the configuration of the state, converts it and says what happens to them",
          rule.text_model, kTextModel));
}

}  // namespace

std::int64_t meta_number(Store& store, std::string_view key, std::int64_t otherwise) {
  const std::optional<std::string> text = store.meta(key);
  if (!text) return otherwise;
  std::int64_t value = 0;
  const char* const end = text->data() + text->size();
  const auto [after, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || after != end) {
    throw Failure(Exit::kIo,
                  fmt::format("the state is damaged: `{}` is not a number at {}", *text, key));
  }
  return value;
}

std::string stored_rule_text(Store& store) {
  if (const auto text = store.meta(kMetaRule)) return *text;
  throw Failure(Exit::kUnavailable, "the state holds no rule: nothing was scanned into it yet");
}

Rule stored_rule(Store& store) {
  const std::string text = stored_rule_text(store);
  const auto rule = parse_rule(text);
  if (!rule) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("the state was made under rule {}, which this program does not know: "
                              "use the program that made it",
                              rule_fingerprint(text)));
  }
  refuse_old_text_model(*rule);
  return *rule;
}

void require_same_rule(Store& store, const Rule& rule) {
  if (const auto stored = store.meta(kMetaRule)) require_same_rule(*stored, rule);
}

void require_same_rule(const std::string& stored, const Rule& rule) {
  const std::string wanted = rule_text(rule);
  if (stored == wanted) return;
  if (const auto known = parse_rule(stored)) refuse_old_text_model(*known);
  throw Failure(
      Exit::kConfig,
      fmt::format("the state was made under rule {}, but the configuration says rule {}:{}\n"
                  "Use the configuration of the state, or another --state directory.",
                  rule_fingerprint(stored), rule_fingerprint(wanted),
                  rule_difference(stored, wanted)));
}

}  // namespace neardup
