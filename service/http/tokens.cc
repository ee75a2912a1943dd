#include "service/http/tokens.h"

#include <utility>

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
  if (!authorization.starts_with(kScheme)) return false;
  authorization.remove_prefix(kScheme.size());
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
  if (problem.empty()) {
    of_file_ = std::move(tokens);
  } else {
    told_(problem);
  }
}

}  // namespace neardup
