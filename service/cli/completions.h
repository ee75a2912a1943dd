// Shell completions, made from the tables of commands and of configuration keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/cli/command_table.h"

namespace neardup {

// A script for "bash", "zsh" or "fish"; nothing for another shell.
std::optional<std::string> completion_script(std::string_view shell);

// One script each, for completion_script.
std::string bash_completions();
std::string zsh_completions();
std::string fish_completions();

// A configuration key with the words it takes, if they can be listed.
struct SettingWords {
  std::string_view key;
  std::string start;  // what comes before a value: "sketch.size=", of a map "kafka.librdkafka."
  std::string_view help;
  std::vector<std::string> words;
};
std::vector<SettingWords> setting_words();

// The words that an argument takes, if they can be listed.
std::vector<std::string> argument_words(const ArgumentSpec& argument);

// The commands of one word and the groups, once each: "scan", "config".
std::vector<std::string> first_words();

// "config" → "check", "show", "reference"; nothing for a command of one word.
std::vector<std::string> second_words(std::string_view first);

// "a b c".
std::string spaced(const std::vector<std::string>& words);

// `text` in single quotes, each quote and backslash in it replaced by `quote` and `backslash`.
std::string quoted(std::string_view text, std::string_view quote, std::string_view backslash);

}  // namespace neardup
