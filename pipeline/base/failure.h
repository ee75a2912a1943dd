// The exception that ends a command, with its exit status. Expected conditions (a bad record, a
// missing id) are values, never exceptions.
#pragma once

#include <stdexcept>
#include <string>

namespace neardup {

// The exit statuses of the contract; scripts rely on the numbers.
enum class Exit : int {
  kUsage = 64,        // wrong command line
  kUnreadable = 65,   // an input cannot be read, or every record was rejected
  kInternal = 70,     // an internal error
  kIo = 74,           // disk full, write failed
  kUnavailable = 75,  // state in use, or state, input and output disagree
  kConfig = 78,       // bad configuration, or a state of another rule, layout or format
};

class Failure : public std::runtime_error {
 public:
  Failure(Exit exit, const std::string& message) : std::runtime_error(message), exit_(exit) {}
  Exit exit() const { return exit_; }

 private:
  Exit exit_;
};

}  // namespace neardup
