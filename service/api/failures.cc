#include "service/api/failures.h"

#include "pipeline/core/failure.h"
#include "service/http/message/problem.h"

namespace neardup {

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

}  // namespace neardup
