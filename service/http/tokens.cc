#include "service/http/tokens.h"

#include <algorithm>
#include <utility>

#include "service/http/message/ascii_case.h"

namespace neardup {
namespace {

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

void HttpTokens::follow(std::string path, std::vector<std::string> tokens, Read read, Told told) {
  path_ = std::move(path);
  watch_ = FileWatch({path_});
  of_file_ = std::move(tokens);
  read_ = std::move(read);
  told_ = std::move(told);
}

bool HttpTokens::allow(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  if (!starts_ignoring_case(authorization, kScheme)) return false;
  authorization.remove_prefix(kScheme.size());
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  look_at_file();
  bool found = false;
  for (const std::string& token : fixed_) found |= equal_in_constant_time(authorization, token);
  for (const std::string& token : of_file_) found |= equal_in_constant_time(authorization, token);
  return found;
}

void HttpTokens::look_at_file() {
  if (!watch_.changed()) return;
  std::vector<std::string> tokens;
  const std::string problem = read_(path_, tokens);
  const bool was_good = std::exchange(good_, problem.empty());
  of_file_ = good_ ? std::move(tokens) : std::vector<std::string>();
  if (!good_ || !was_good) told_(problem);
}

}  // namespace neardup
