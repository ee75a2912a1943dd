// Runs a command inside the test: its status and what it prints.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/cli/command_line.h"
#include "tests/scratch_directory.h"

namespace neardup::testing {

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

// The words of a command line after "neardup". A Failure becomes its status, its message goes to
// `err`.
inline Outcome run_command(int (*command)(const CommandLine&), std::vector<std::string> words) {
  std::vector<const char*> argv{"neardup"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  const ParseOutcome parsed =
      parse_command_line(static_cast<int>(argv.size()), argv.data(), "test");
  if (!parsed.command_line) throw std::runtime_error("not a command line: " + parsed.text);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  std::string failure;
  try {
    outcome.status = command(*parsed.command_line);
  } catch (const Failure& error) {
    outcome.status = static_cast<int>(error.exit());
    failure = error.what();
  }
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr() + failure;
  return outcome;
}

// What a program prints, its two streams together, and its exit status.
inline Outcome run_program(const std::string& shell_line) {
  Outcome outcome;
  FILE* pipe = popen(("( " + shell_line + " ) 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    outcome.out.append(buffer, got);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace neardup::testing
