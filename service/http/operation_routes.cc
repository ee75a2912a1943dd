#include "service/http/operation_routes.h"

namespace neardup {
namespace {

HttpAnswer state_answer(const std::vector<std::string>& reasons, const char* good) {
  if (reasons.empty()) return {200, std::string(good) + "\n"};
  std::string lines;
  for (const std::string& reason : reasons) lines.append(reason).append("\n");
  return {503, lines};
}

}  // namespace

HttpRoutes operation_routes(const Health& health, const std::string& version) {
  return {
      {.methods = {"GET"},
       .path = "/healthz",
       .answer =
           [&health](const HttpRequest&) { return state_answer(health.why_unhealthy(), "ok"); },
       .name = "health",
       .about = "Whether the process works; 503 with the reasons, a line each, if it does not.",
       .problems = {503}},
      {.methods = {"GET"},
       .path = "/readyz",
       .answer =
           [&health](const HttpRequest&) { return state_answer(health.why_not_ready(), "ready"); },
       .name = "ready",
       .about = "Whether documents are decided; 503 with the reasons, a line each, if not.",
       .problems = {503}},
      {.methods = {"GET"},
       .path = "/version",
       .answer =
           [version](const HttpRequest&) {
             return HttpAnswer{200, version + "\n", kJsonType};
           },
       .name = "version",
       .about = "The versions of the program and of its libraries.",
       .gives = kJsonType},
  };
}

}  // namespace neardup
