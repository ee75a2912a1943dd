// Structured log lines: {"ts":"2026-11-21T05:00:00.123Z","level":"info","event":"batch
// delivered","batch":17} or 2026-11-21T05:00:00.123Z info batch delivered batch=17.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/base/mutex.h"
#include "service/log/log_field.h"

namespace neardup {

// Every call may come from any thread. A line is written at once and whole before a call returns,
// with the fields of the thread's LogScope at its end.
class Log {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  using Sink = std::function<void(std::string_view line)>;  // with its line break
  using Fields = std::initializer_list<LogField>;

  // Writes to stderr. Lines that cannot be written are dropped silently.
  explicit Log(const LogOptions& options);
  Log(const LogOptions& options, Sink sink, Clock clock);
  ~Log();

  // From now on replaces `secret` by *** in events and text fields; ignored below 4 bytes.
  void hide(std::string_view secret);

  void debug(std::string_view event, Fields fields = {}) { write(LogLevel::kDebug, event, fields); }
  void info(std::string_view event, Fields fields = {}) { write(LogLevel::kInfo, event, fields); }
  void warning(std::string_view event, Fields fields = {}) {
    write(LogLevel::kWarning, event, fields);
  }
  void error(std::string_view event, Fields fields = {}) { write(LogLevel::kError, event, fields); }
  void write(LogLevel level, std::string_view event, std::span<const LogField> fields);

  std::chrono::system_clock::time_point now() const { return clock_(); }

 private:
  class Writer;
  void write(LogLevel level, std::string_view event, Fields fields) {
    write(level, event, std::span(fields.begin(), fields.size()));
  }

  const LogFormat format_;
  const Clock clock_;
  Mutex mutex_;  // also held while a line is written
  Secrets secrets_ GUARDED_BY(mutex_);
  const std::unique_ptr<Writer> writer_;
};

// For frequent errors: writes an event at most once in an interval, with the number of lines that
// were dropped since the last one in the field `suppressed`. Any thread may make any call.
class RateLimitedLog {
 public:
  RateLimitedLog(Log& log, std::chrono::seconds interval) : log_(log), interval_(interval) {}
  void write(LogLevel level, std::string_view event, Log::Fields fields = {});

 private:
  struct Last {
    std::chrono::system_clock::time_point time;
    std::uint64_t suppressed = 0;
  };
  Log& log_;
  const std::chrono::seconds interval_;
  Mutex mutex_;
  std::map<std::string, Last, std::less<>> last_ GUARDED_BY(mutex_);  // by event
};

}  // namespace neardup
