// Shell completions. A script for a shell calls `neardup __complete WORDS…` at each completion,
// which walks the tables of commands and of configuration keys.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/cli/command_table.h"

namespace neardup {

// The command that the scripts call. It is in no help.
inline constexpr std::string_view kComplete = "__complete";

struct Completion {
  struct Word {
    std::string text;  // the whole word: "--set=verify.mode=exact"
    std::string_view help;
  };
  std::vector<Word> words;
  Takes more = Takes::kNothing;  // kFile, kDirectory: names of files fit, too; kSetting: no space
                                 // follows a word
};

// Completions of the last of `words`, which are the words after "neardup"; the last may be empty.
Completion complete(std::span<const std::string> words);

// A line "WORD<tab>HELP" for each word, and at last ":file", ":directory", ":nospace" or ":".
std::string completion_lines(const Completion& completion);

// The script for "bash", "zsh" or "fish"; nothing for another shell.
std::optional<std::string_view> completion_script(std::string_view shell);

}  // namespace neardup
