#include "service/cli/completions.h"

#include <algorithm>
#include <utility>

#include "config/fields.h"

namespace neardup {
namespace {

std::vector<std::string> words_of(const Field& field) {
  std::vector<std::string> words;
  Config config;
  const Slot slot = field.slot(config);
  if (const auto* word = std::get_if<EnumSlot>(&slot))
    words.assign(word->words.begin(), word->words.end());
  if (std::holds_alternative<bool*>(slot)) words = {"true", "false"};
  for (const std::uint64_t choice : field.choices) words.push_back(std::to_string(choice));
  if (!field.zero_word.empty()) words.emplace_back(field.zero_word);
  return words;
}

std::string start_of(const Field& field) {
  const bool is_map = field.type == FieldType::kTextMap || field.type == FieldType::kPathMap;
  return std::string(field.key) + (is_map ? "." : "=");
}

}  // namespace

std::vector<SettingWords> setting_words() {
  std::vector<SettingWords> settings;
  for (const Field& field : fields()) {
    settings.push_back({field.key, start_of(field), field.help, words_of(field)});
  }
  return settings;
}

std::vector<std::string> argument_words(const ArgumentSpec& argument) {
  if (argument.name == "SHELL") return {"bash", "zsh", "fish"};
  return {};
}

std::vector<std::string> first_words() {
  std::vector<std::string> words;
  for (const CommandSpec& spec : commands()) {
    std::string first(spec.name.substr(0, spec.name.find(' ')));
    if (std::ranges::find(words, first) == words.end()) words.push_back(std::move(first));
  }
  return words;
}

std::vector<std::string> second_words(std::string_view first) {
  std::vector<std::string> words;
  for (const CommandSpec& spec : commands()) {
    const std::size_t space = spec.name.find(' ');
    if (space != spec.name.npos && spec.name.substr(0, space) == first)
      words.emplace_back(spec.name.substr(space + 1));
  }
  return words;
}

std::string spaced(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string quoted(std::string_view text, std::string_view quote, std::string_view backslash) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else if (c == '\\') {
      out += backslash;
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::optional<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_completions();
  if (shell == "zsh") return zsh_completions();
  if (shell == "fish") return fish_completions();
  return std::nullopt;
}

}  // namespace neardup
