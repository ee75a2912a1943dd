#include "service/http/guard.h"

#include <algorithm>
#include <cctype>

#include "service/http/message/problem.h"

namespace neardup {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

}  // namespace

void HttpGuard::restrict_hosts(const std::vector<std::string>& hosts) {
  hosts_.emplace();
  for (const std::string& host : hosts) hosts_->push_back(in_lower_case(host));
}

std::optional<HttpAnswer> HttpGuard::refusal(const RequestHead& head, HttpAccess access) {
  if (access == HttpAccess::kOpen) return {};
  if (!is_host(head.host)) {
    return problem(403, "unknown_host",
                   "the service is asked under a name that is not its own: add the name to "
                   "http.hosts");
  }
  if (access == HttpAccess::kRead && read_is_open_) return {};
  if (writers_.allow(head.authorization)) return {};
  const bool reader = readers_.allow(head.authorization);
  if (reader && access == HttpAccess::kRead) return {};
  if (reader) return problem(403, "may_only_read", "this token may read, but not write");
  return problem(401, "no_token", "a token is needed: Authorization: Bearer TOKEN");
}

bool HttpGuard::is_host(std::string_view host) const {
  return !hosts_ || host.empty() ||
         std::ranges::find(*hosts_, in_lower_case(without_port(host))) != hosts_->end();
}

}  // namespace neardup
