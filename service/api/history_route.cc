#include "service/api/history_route.h"

namespace neardup {

HttpRoute history_route(const History& history) {
  return {.methods = {"GET"},
          .path = "/v1/history",
          .access = HttpAccess::kRead,
          .answer =
              [&history](const HttpRequest& request) {
                const auto after = static_cast<std::int64_t>(request.number("after", 0));
                return HttpAnswer{200, history.json(after) + "\n", kJsonType};
              },
          .name = "history",
          .about =
              "Metrics of the last 15 minutes, a sample every five seconds: counts since the "
              "start, delay, lag, estimated precision and recall, the size of the state.",
          .parameters = {{.name = "after",
                          .about = "The time_ms that the samples begin behind; 0 if not given.",
                          .kind = HttpParameter::Kind::kNumber}},
          .gives = kJsonType};
}

}  // namespace neardup
