// argv → a command with its options. CLI11 does the parsing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

struct CommandLine {
  std::string command;  // a name from the command table
  std::map<std::string, std::vector<std::string>>
      given;  // by option or argument name; flags: one empty text

  bool has(std::string_view name) const { return given.contains(std::string(name)); }
  std::optional<std::string> one(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
};

struct ParseOutcome {
  std::optional<CommandLine> command_line;  // nothing: print `text` and exit with `status`
  std::string text;
  int status = 0;
};

// `version` is what --version prints.
ParseOutcome parse_command_line(int argc, const char* const* argv, const std::string& version);

}  // namespace neardup
