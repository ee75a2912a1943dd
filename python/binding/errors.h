// Errors that Python tells apart, and their types there (neardup/_errors.py).
#pragma once

#include <cstddef>
#include <string>

#include "pipeline/base/failure.h"

namespace neardup {

// A value that is no text, or columns that do not fit together: neardup.InputError.
class BadInput : public Failure {
 public:
  explicit BadInput(const std::string& message) : Failure(Exit::kUnreadable, message) {}
  // "text 3: …"
  BadInput(const char* what, std::size_t row, const std::string& message)
      : BadInput(std::string(what) + " " + std::to_string(row) + ": " + message) {}
};

// A state whose rule or format is another one: neardup.RuleError.
class OtherRule : public Failure {
 public:
  explicit OtherRule(const std::string& message) : Failure(Exit::kConfig, message) {}
};

// A state that was closed, or whose last call has failed: neardup.ClosedError.
class Closed : public Failure {
 public:
  explicit Closed(const std::string& message) : Failure(Exit::kUnavailable, message) {}
};

// A state that was opened before a fork: neardup.ForkError.
class Forked : public Failure {
 public:
  Forked()
      : Failure(Exit::kUnavailable,
                "the state was opened by another process before a fork, and one process owns a "
                "state: open it in one process alone, or let all use neardup.Client") {}
};

// From now on C++ exceptions become those types. Called once, while the module is loaded.
void register_errors();

}  // namespace neardup
