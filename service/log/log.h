// Structured log lines: {"ts":"2026-11-21T05:00:00.123Z","level":"info","event":"batch
// delivered","batch":17} or 2026-11-21T05:00:00.123Z info batch delivered batch=17.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/service_options.h"
#include "pipeline/base/mutex.h"

namespace neardup {

// A name and a text, an integer, a number or a bool. Names are plain ASCII without spaces, quotes
// and `=`, none of ts, level, event. Texts are any bytes; they are not copied.
struct LogField {
  LogField(std::string_view name_, std::string_view text) : name(name_), value(text) {}
  LogField(std::string_view name_, const std::string& text)
      : LogField(name_, std::string_view(text)) {}
  LogField(std::string_view name_, const char* text) : LogField(name_, std::string_view(text)) {}
  LogField(std::string_view name_, double number) : name(name_), value(number) {}
  template <std::same_as<bool> Bool>  // so that pointers do not convert to bool
  LogField(std::string_view name_, Bool truth) : name(name_), value(truth) {}
  template <std::signed_integral Integer>
  LogField(std::string_view name_, Integer number) : name(name_), value(std::int64_t{number}) {}
  template <std::unsigned_integral Integer>
    requires(!std::same_as<Integer, bool>)
  LogField(std::string_view name_, Integer number) : name(name_), value(std::uint64_t{number}) {}

  std::string_view name;
  std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool> value;
};

// Texts that must not appear in log lines.
class Secrets {
 public:
  // Ignores texts of less than 4 bytes: hiding them would reveal them.
  void add(std::string_view secret);
  // `text` with every run of bytes that belong to secrets replaced by ***.
  std::string hidden(std::string_view text) const;

 private:
  std::vector<std::string> secrets_;
};

// These two are in log_field.cc: an encoding in which no value breaks the line.
//
// "event":"…" and the fields, as the rest of a JSON object; NaN and infinities are texts.
std::string json_rest(std::string_view event, std::span<const LogField> fields,
                      const Secrets& secrets);
// event name=value …; what holds spaces, quotes, `=` or controls is quoted as in JSON.
std::string text_rest(std::string_view event, std::span<const LogField> fields,
                      const Secrets& secrets);

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

// Fields that are added to all log lines of a thread.
//
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
