// The table of commands with their options, for the parser, --help and the shell completions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace neardup {

// The values of an option or argument; completions use them.
enum class Takes { kNothing, kText, kNumber, kFile, kDirectory, kSetting };

struct OptionSpec {
  std::string_view name;   // "--state"
  std::string_view brief;  // "-c", or empty
  Takes takes;
  bool repeated;
  std::string_view help;
};

struct ArgumentSpec {
  std::string_view name;  // "INPUT"
  Takes takes;
  unsigned least;
  unsigned most;  // 0: any number
  std::string_view help;
  std::vector<std::string_view> words = {};  // what it takes, where that can be listed
};

struct CommandSpec {
  std::string_view name;    // "scan", or "config check"
  std::string_view help;    // one line
  std::string_view detail;  // shown by --help after the options; may be empty
  std::vector<OptionSpec> options;
  std::vector<ArgumentSpec> arguments;
};

std::span<const CommandSpec> commands();

// The help of a group: "config" is that of "config check" and "config show".
std::string_view group_help(std::string_view group);

}  // namespace neardup
