#include "service/commands/report_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace neardup {
namespace {

constexpr std::size_t kMostInputs = 3;

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? R"('\'')" : std::string(1, c);
  return quoted + "'";
}

// Can be read again.
bool is_file(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

std::string report_hint(const CommandLine& scan) {
  const std::string output = scan.one("--output").value_or("-");
  if (!is_file(output)) return {};
  std::vector<std::string> words{"neardup", "report"};
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.insert(words.end(), {option, shell_word(value)});
  };
  add("-c", scan.all("--config"));
  add("--set", scan.all("--set"));
  words.insert(words.end(), {"-o", "report.html", shell_word(output)});
  const std::vector<std::string> inputs = scan.all("INPUT");
  const bool again = std::ranges::all_of(inputs, is_file);
  if (again && inputs.size() > kMostInputs) words.emplace_back("INPUT…");
  if (again && inputs.size() <= kMostInputs)
    std::ranges::transform(inputs, std::back_inserter(words), shell_word);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace neardup
