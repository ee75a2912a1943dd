#include "service/http/handlers.h"

namespace neardup {
namespace {

HttpAnswer state_answer(const std::vector<std::string>& reasons, const char* good) {
  if (reasons.empty()) return {200, std::string(good) + "\n"};
  std::string lines;
  for (const std::string& reason : reasons) lines.append(reason).append("\n");
  return {503, lines};
}

}  // namespace

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
