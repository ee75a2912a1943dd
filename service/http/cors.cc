#include "service/http/cors.h"

#include <algorithm>

#include "service/http/message/problem.h"

namespace neardup {

bool is_preflight(const RequestHead& head) {
  return head.method == "OPTIONS" && !head.origin.empty() && !head.asked_method.empty();
}

bool HttpCors::allows(std::string_view origin) const {
  return std::ranges::find(origins_, origin) != origins_.end();
}

HttpFields HttpCors::fields(std::string_view origin) const {
  if (!allows(origin)) return {};
  return {{"Access-Control-Allow-Origin", std::string(origin)},
          {"Access-Control-Expose-Headers", "Neardup-Counts, Retry-After"},
          {"Vary", "Origin"}};
}

HttpAnswer HttpCors::preflight(std::string_view origin, const std::string& methods) const {
  if (!allows(origin)) {
    return problem(403, "unknown_origin",
                   "web pages of this origin may not ask: add it to http.cors_origins");
  }
  return {.status = 204,
          .body = {},
          .fields = {{"Access-Control-Allow-Methods", methods},
                     {"Access-Control-Allow-Headers",
                      "Authorization, Content-Type, Content-Encoding, Neardup-Rule"},
                     {"Access-Control-Max-Age", "600"}}};
}

}  // namespace neardup
