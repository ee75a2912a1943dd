#include "service/api/failures.h"

#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/http/message/problem.h"
#include "service/log/raw_line.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenLines{10};
constexpr int kFailed = 500;

HttpAnswer answer_or_problem(const std::function<HttpAnswer(const HttpRequest&)>& answer,
                             const HttpRequest& request) {
  try {
    return answer(request);
  } catch (const std::bad_alloc&) {
    return problem(kFailed, "failed", kOutOfMemory);
  } catch (const std::exception& error) {
    return problem(kFailed, "failed", error.what());
  }
}

void tell(const std::string& problem, const std::string& path, RateLimitedLog& failures) {
  try {
    failures.write(LogLevel::kError, "request failed", {{"path", path}, {"answer", problem}});
  } catch (const std::bad_alloc&) {
    write_raw_error(LogFormat::kJson, "request failed", kOutOfMemory);
  }
}

}  // namespace

HttpAnswer answered(const std::function<HttpAnswer()>& answer) {
  try {
    return answer();
  } catch (const Failure& failure) {
    switch (failure.exit()) {
      case Exit::kUsage:
      case Exit::kConfig:
        return problem(400, "wrong_request", failure.what());
      case Exit::kUnreadable:
        return problem(422, "no_answer", failure.what());
      case Exit::kUnavailable:
        return problem(503, "busy", failure.what());
      case Exit::kInternal:
      case Exit::kIo:
        break;
    }
    return problem(500, "failed", failure.what());
  }
}

void log_failures(Log& log, HttpRoutes& routes) {
  const auto failures = std::make_shared<RateLimitedLog>(log, kBetweenLines);
  for (HttpRoute& route : routes) {
    if (!route.answer) continue;
    route.answer = [failures, path = route.path,
                    answer = std::move(route.answer)](const HttpRequest& request) {
      HttpAnswer given = answer_or_problem(answer, request);
      if (given.status == kFailed) tell(given.body, path, *failures);
      return given;
    };
  }
}

}  // namespace neardup
