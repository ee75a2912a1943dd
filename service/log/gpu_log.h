// A service's log lines about its device: one when it fails, one when it works again, one at the
// end.
#pragma once

#include "gpu/backend.h"
#include "service/log/log.h"

namespace neardup {

class GpuLog {
 public:
  explicit GpuLog(Log& log) : log_(log) {}

  // To be called often.
  void show(const BackendReport& report);
  // Where the time went; nothing where no device was used.
  void summary(const BackendReport& report);

 private:
  Log& log_;
  bool failed_ = false;
};

}  // namespace neardup
