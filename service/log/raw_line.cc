#include "service/log/raw_line.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

// Whole or cut off, never longer than its bytes.
class RawLine {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(c);
  }
  // As a JSON string, without its quotes.
  void add_escaped(std::string_view text) {
    for (const char c : text) {
      if (size_ + kReserved >= bytes_.size()) return;
      if (c == '"' || c == '\\') add('\\');
      const bool shown = c >= ' ' && c <= '~';
      add(shown ? c : c == '\n' ? ' ' : '?');
    }
  }
  void add_time() {
    using namespace std::chrono;
    const auto now = floor<milliseconds>(system_clock::now());
    const auto day = floor<days>(now);
    const year_month_day date(day);
    const hh_mm_ss time(now - day);
    std::array<char, 32> text = {};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()),
                  static_cast<int>(time.subseconds().count()));
    add(text.data());
  }
  void write() const {
    std::string_view left(bytes_.data(), size_);
    while (!left.empty()) {
      const ssize_t count = ::write(STDERR_FILENO, left.data(), left.size());
      if (count < 0 && errno != EINTR) return;
      left.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
  }

 private:
  static constexpr std::size_t kReserved = 16;  // for what follows an escaped text

  void add(char c) {
    if (size_ < bytes_.size()) bytes_[size_++] = c;
  }

  std::array<char, 1024> bytes_;
  std::size_t size_ = 0;
};

std::atomic<LogFormat> format_of_last_line{LogFormat::kJson};

[[noreturn]] void end_process() {
  const auto end = [](std::string_view reason) {
    write_raw_error(format_of_last_line, "ended", reason);
    std::_Exit(static_cast<int>(Exit::kInternal));
  };
  try {
    if (const auto uncaught = std::current_exception()) std::rethrow_exception(uncaught);
  } catch (const std::bad_alloc&) {
    end(kOutOfMemory);
  } catch (const std::exception& error) {
    end(error.what());
  } catch (...) {
  }
  end("an exception that nobody caught");
  std::abort();  // not reached
}

// Calls only what a handler of signals may.
void tell_signal(int signal) {
  std::array<char, 32> reason = {};
  std::snprintf(reason.data(), reason.size(), "signal %d", signal);
  write_raw_error(format_of_last_line, "ended", reason.data());
  std::raise(signal);  // SA_RESETHAND: now as without a handler
}

// Leaves the handlers of sanitizers.
void handle(int signal) {
  struct sigaction handler = {};
  if (::sigaction(signal, nullptr, &handler) != 0 || handler.sa_handler != SIG_DFL) return;
  handler.sa_handler = tell_signal;
  handler.sa_flags = SA_RESETHAND;
  ::sigaction(signal, &handler, nullptr);
}

}  // namespace

void write_raw_error(LogFormat format, std::string_view event, std::string_view reason) noexcept {
  RawLine line;
  const bool json = format == LogFormat::kJson;
  if (json) line.add(R"({"ts":")");
  line.add_time();
  line.add(json ? R"(","level":"error","event":")" : " error ");
  line.add_escaped(event);
  line.add(json ? R"(","reason":")" : " reason=\"");
  line.add_escaped(reason);
  line.add(json ? "\"}\n" : "\"\n");
  line.write();
}

void log_sudden_ends(LogFormat format) {
  format_of_last_line = format;
  std::set_terminate(end_process);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) handle(signal);
}

}  // namespace neardup
