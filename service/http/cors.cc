#include "service/http/cors.h"

#include <algorithm>

#include "service/http/message/ascii_case.h"
#include "service/http/message/problem.h"

namespace neardup {
namespace {

// Of SCHEME://HOST[:PORT]; "" for any other origin, as `null`.
std::string_view authority_of(std::string_view origin) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = origin.find(kMark);
  return mark == origin.npos ? std::string_view() : origin.substr(mark + kMark.size());
}

}  // namespace

HttpAnswer unknown_origin() {
  return problem(403, "unknown_origin",
                 "web pages of this origin may not ask: add it to http.cors_origins");
}

bool is_preflight(const RequestHead& head) {
  return head.method == "OPTIONS" && !head.origin.empty() && !head.asked_method.empty();
}

bool HttpCors::allows(std::string_view origin) const {
  return std::ranges::find(origins_, origin) != origins_.end();
}

// Browsers send the origin with every request that could change something, and from newer ones
// Sec-Fetch-Site tells of the others.
bool HttpCors::may_ask(const RequestHead& head) const {
  if (head.origin.empty()) return !equal_ignoring_case(head.fetch_site, "cross-site");
  const std::string_view own = authority_of(head.origin);
  return allows(head.origin) || (!own.empty() && equal_ignoring_case(own, head.host));
}

HttpFields HttpCors::fields(std::string_view origin) const {
  if (!allows(origin)) return {};
  return {{"Access-Control-Allow-Origin", std::string(origin)},
          {"Access-Control-Expose-Headers", "Neardup-Counts, Retry-After"},
          {"Vary", "Origin"}};
}

HttpAnswer HttpCors::preflight(std::string_view origin, const std::string& methods) const {
  if (!allows(origin)) return unknown_origin();
  return {.status = 204,
          .body = {},
          .fields = {{"Access-Control-Allow-Methods", methods},
                     {"Access-Control-Allow-Headers",
                      "Authorization, Content-Type, Content-Encoding, Neardup-Rule"},
                     {"Access-Control-Max-Age", "600"}}};
}

}  // namespace neardup
