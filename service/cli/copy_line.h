// The progress of copying files, on stderr if it is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace neardup {

// Thrown after SIGINT or SIGTERM.
struct CopyStopped {};

class CopyLine {
 public:
  explicit CopyLine(std::string what);
  ~CopyLine() { end(); }
  CopyLine(const CopyLine&) = delete;
  CopyLine& operator=(const CopyLine&) = delete;

  // Adds newly copied bytes. Throws CopyStopped.
  void add(std::uint64_t bytes);
  // Clears the line.
  void end();

 private:
  const std::string what_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = start_;
  std::uint64_t bytes_ = 0;
  bool shown_ = false;
};

}  // namespace neardup
