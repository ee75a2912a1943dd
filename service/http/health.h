// Liveness and readiness of the service, for its supervisor. Any thread may make any call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"

namespace neardup {

// Begins healthy and not ready: "starting". Reasons are one line, without secrets.
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

}  // namespace neardup
