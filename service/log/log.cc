#include "service/log/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

namespace neardup {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      break;
  }
  return spdlog::level::err;
}

std::unique_ptr<spdlog::formatter> formatter(LogFormat format) {
  const char* const pattern = format == LogFormat::kJson
                                  ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v)"
                                  : "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
  return std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc, "\n");
}

// Without a mutex: Log locks its own.
class FunctionSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  FunctionSink(LogFormat format, Log::Sink to)
      : base_sink(formatter(format)), write_(std::move(to)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_({line.data(), line.size()});
  }
  void flush_() override {}

  const Log::Sink write_;
};

void write_to_stderr(std::string_view line) {
  while (!line.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, line.data(), line.size());
    if (count < 0 && errno != EINTR) return;
    line.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

thread_local const std::vector<LogField>* t_fields = nullptr;

}  // namespace

class Log::Writer {
 public:
  Writer(const LogOptions& options, Sink sink)
      : logger_("neardup", std::make_shared<FunctionSink>(options.format, std::move(sink))) {
    logger_.set_level(spdlog_level(options.level));
  }
  bool wants(LogLevel level) const { return logger_.should_log(spdlog_level(level)); }
  void write(std::chrono::system_clock::time_point time, LogLevel level, const std::string& rest) {
    logger_.log(time, spdlog::source_loc{}, spdlog_level(level), rest);
  }

 private:
  spdlog::logger logger_;
};

Log::Log(const LogOptions& options)
    : Log(options, write_to_stderr, [] { return std::chrono::system_clock::now(); }) {}

Log::Log(const LogOptions& options, Sink sink, Clock clock)
    : format_(options.format),
      clock_(std::move(clock)),
      writer_(std::make_unique<Writer>(options, std::move(sink))) {}

Log::~Log() = default;

void Log::hide(std::string_view secret) {
  const MutexLock lock(mutex_);
  secrets_.add(secret);
}

void Log::write(LogLevel level, std::string_view event, std::span<const LogField> fields) {
  if (!writer_->wants(level)) return;
  std::vector<LogField> all(fields.begin(), fields.end());
  LogScope::add_fields(all);
  const auto rest = format_ == LogFormat::kJson ? json_rest : text_rest;
  const MutexLock lock(mutex_);
  writer_->write(clock_(), level, rest(event, all, secrets_));
}

void RateLimitedLog::write(LogLevel level, std::string_view event, Log::Fields fields) {
  const MutexLock lock(mutex_);
  const auto now = log_.now();
  const auto [at, first] = last_.try_emplace(std::string(event), Last{now});
  Last& last = at->second;
  // A clock that was set back must not silence the event until it has caught up.
  if (!first && now >= last.time && now < last.time + interval_) {
    ++last.suppressed;
    return;
  }
  std::vector<LogField> all(fields);
  if (last.suppressed > 0) all.emplace_back("suppressed", last.suppressed);
  log_.write(level, event, all);
  last = {now};
}

LogScope::LogScope(std::vector<LogField> fields) : fields_(std::move(fields)) {
  assert(t_fields == nullptr);
  t_fields = &fields_;
}

LogScope::~LogScope() { t_fields = nullptr; }

void LogScope::add_fields(std::vector<LogField>& fields) {
  if (t_fields != nullptr) fields.insert(fields.end(), t_fields->begin(), t_fields->end());
}

}  // namespace neardup
