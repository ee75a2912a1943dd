#include "service/log/log_scope.h"

#include <cassert>

namespace neardup {
namespace {

thread_local const std::vector<LogField>* t_fields = nullptr;

}  // namespace

LogScope::LogScope(std::vector<LogField> fields) : fields_(std::move(fields)) {
  assert(t_fields == nullptr);
  t_fields = &fields_;
}

LogScope::~LogScope() { t_fields = nullptr; }

void LogScope::add_fields(std::vector<LogField>& fields) {
  if (t_fields != nullptr) fields.insert(fields.end(), t_fields->begin(), t_fields->end());
}

}  // namespace neardup
