// Fields that are added to all log lines of a thread.
#pragma once

#include <vector>

#include "service/log/log_field.h"

namespace neardup {

// While it lives, every log line of its thread gets these fields after its own. Requires: at most
// one at a time on a thread, destroyed by the same thread; texts outlive it.
class LogScope {
 public:
  explicit LogScope(std::vector<LogField> fields);
  ~LogScope();
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

  // Appends the fields of the scope of this thread, if there is one.
  static void add_fields(std::vector<LogField>& fields);

 private:
  const std::vector<LogField> fields_;
};

}  // namespace neardup
