#include "service/http/health.h"

#include <utility>

#include "service/http/route.h"

namespace neardup {
namespace {

HttpAnswer state_answer(const std::vector<std::string>& reasons, const char* good) {
  if (reasons.empty()) return {200, std::string(good) + "\n"};
  std::string lines;
  for (const std::string& reason : reasons) lines.append(reason).append("\n");
  return {503, lines};
}

}  // namespace

void Health::set_ready() {
  const MutexLock lock(mutex_);
  not_ready_.reset();
}

void Health::set_not_ready(std::string reason) {
  const MutexLock lock(mutex_);
  not_ready_ = std::move(reason);
}

void Health::set_draining() {
  const MutexLock lock(mutex_);
  draining_ = true;
}

void Health::set_unhealthy(std::string reason) {
  const MutexLock lock(mutex_);
  unhealthy_ = std::move(reason);
}

std::vector<std::string> Health::why_unhealthy() const {
  const MutexLock lock(mutex_);
  return unhealthy_ ? std::vector{*unhealthy_} : std::vector<std::string>{};
}

std::vector<std::string> Health::why_not_ready() const {
  std::vector<std::string> reasons = why_unhealthy();
  const MutexLock lock(mutex_);
  if (draining_) reasons.emplace_back("draining");
  if (not_ready_) reasons.push_back(*not_ready_);
  return reasons;
}

std::vector<HttpRoute> operation_routes(const Health& health, const std::string& version) {
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
