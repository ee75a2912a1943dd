#include "service/http/guard.h"

#include <algorithm>

#include "service/http/message/ascii_case.h"
#include "service/http/message/problem.h"

namespace neardup {
namespace {

std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

}  // namespace

void HttpGuard::restrict_hosts(const std::vector<std::string>& hosts) { hosts_ = hosts; }

// Both lists are looked at whatever the first one says: the time tells nothing.
HttpCaller HttpGuard::caller(const RequestHead& head) {
  if (head.authorization.empty()) return HttpCaller::kAnybody;
  const bool writer = writers_.allow(head.authorization);
  const bool reader = readers_.allow(head.authorization);
  return writer ? HttpCaller::kWriter : reader ? HttpCaller::kReader : HttpCaller::kAnybody;
}

std::optional<HttpAnswer> HttpGuard::refusal(const RequestHead& head, HttpAccess access,
                                             HttpCaller caller) const {
  if (access == HttpAccess::kOpen) return {};
  if (!is_host(head.host)) {
    return problem(403, "unknown_host",
                   "the service is asked under a name that is not its own: add the name to "
                   "http.hosts");
  }
  if (access == HttpAccess::kRead && read_is_open_) return {};
  if (caller == HttpCaller::kWriter) return {};
  const bool reader = caller == HttpCaller::kReader;
  if (reader && access == HttpAccess::kRead) return {};
  if (reader) return problem(403, "may_only_read", "this token may read, but not write");
  return problem(401, "no_token", "a token is needed: Authorization: Bearer TOKEN");
}

bool HttpGuard::is_host(std::string_view host) const {
  if (!hosts_ || host.empty()) return true;
  const std::string_view name = without_port(host);
  return std::ranges::any_of(
      *hosts_, [&](const std::string& own) { return equal_ignoring_case(own, name); });
}

}  // namespace neardup
