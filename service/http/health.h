// Liveness and readiness of the service, for its supervisor, and the requests that ask for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"

namespace neardup {

struct HttpRoute;

// Begins healthy and not ready: "starting". Reasons are one line, without secrets. Any thread may
// make any call.
class Health {
 public:
  void set_ready();
  void set_not_ready(std::string reason);  // replaces an earlier reason
  void set_draining();                     // never ready again
  void set_unhealthy(std::string reason);  // permanently: only a restart helps

  // The reasons; empty when healthy, or ready. An unhealthy service is not ready either.
  std::vector<std::string> why_unhealthy() const;
  std::vector<std::string> why_not_ready() const;

 private:
  mutable Mutex mutex_;
  std::optional<std::string> not_ready_ GUARDED_BY(mutex_) = "starting";
  std::optional<std::string> unhealthy_ GUARDED_BY(mutex_);
  bool draining_ GUARDED_BY(mutex_) = false;
};

// /healthz and /readyz (200, or 503 with one reason a line) and /version (`version` is JSON).
// Requires: `health` outlives the routes.
std::vector<HttpRoute> operation_routes(const Health& health, const std::string& version);

}  // namespace neardup
