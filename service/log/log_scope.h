// What the work of a thread belongs to, said in all its log lines.
#pragma once

#include <vector>

#include "service/log/log_field.h"

namespace neardup {

// While it lives, every line that its thread writes has these fields behind its own, from whatever
// depth. Requires: one at a time on a thread, which also ends it; texts outlive it.
class LogScope {
 public:
  explicit LogScope(std::vector<LogField> fields);
  ~LogScope();
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

  // Of the scope of this thread, if there is one.
  static void add_fields(std::vector<LogField>& fields);

 private:
  const std::vector<LogField> fields_;
};

}  // namespace neardup
