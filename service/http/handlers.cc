#include "service/http/handlers.h"

namespace neardup {
namespace {

HttpAnswer state_answer(const std::vector<std::string>& reasons, const char* good) {
  if (reasons.empty()) return {200, std::string(good) + "\n"};
  std::string lines;
  for (const std::string& reason : reasons) lines.append(reason).append("\n");
  return {503, lines};
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

bool has_token(std::string_view authorization, const std::vector<std::string>& tokens) {
  constexpr std::string_view kScheme = "Bearer ";
  if (!authorization.starts_with(kScheme)) return false;
  authorization.remove_prefix(kScheme.size());
  bool found = false;
  for (const std::string& token : tokens) found |= equal_in_constant_time(authorization, token);
  return found;
}

HttpHandlers operation_handlers(const Health& health, const std::string& version) {
  return {
      {"/healthz", {[&health] { return state_answer(health.why_unhealthy(), "ok"); }}},
      {"/readyz", {[&health] { return state_answer(health.why_not_ready(), "ready"); }}},
      {"/version", {[version] {
         return HttpAnswer{200, version + "\n", "application/json"};
       }}},
  };
}

}  // namespace neardup
