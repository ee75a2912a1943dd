#include "service/http/guard.h"

#include <algorithm>
#include <utility>

#include "service/http/message/ascii_case.h"
#include "service/http/message/problem.h"

namespace neardup {
namespace {

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

// Of SCHEME://HOST[:PORT]; "" for any other origin, as `null`.
std::string_view authority_of(std::string_view origin) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = origin.find(kMark);
  return mark == origin.npos ? std::string_view() : origin.substr(mark + kMark.size());
}

}  // namespace

void HttpTokens::follow(std::string path, std::vector<std::string> tokens, Read read, Told told) {
  path_ = std::move(path);
  watch_ = FileWatch({path_});
  of_file_ = std::move(tokens);
  read_ = std::move(read);
  told_ = std::move(told);
}

bool HttpTokens::allow(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  if (!starts_ignoring_case(authorization, kScheme)) return false;
  authorization.remove_prefix(kScheme.size());
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  look_at_file();
  bool found = false;
  for (const std::string& token : fixed_) found |= equal_in_constant_time(authorization, token);
  for (const std::string& token : of_file_) found |= equal_in_constant_time(authorization, token);
  return found;
}

void HttpTokens::look_at_file() {
  if (!watch_.changed()) return;
  std::vector<std::string> tokens;
  const std::string problem = read_(path_, tokens);
  const bool was_good = std::exchange(good_, problem.empty());
  of_file_ = good_ ? std::move(tokens) : std::vector<std::string>();
  if (!good_ || !was_good) told_(problem);
}

void HttpGuard::restrict_hosts(const std::vector<std::string>& hosts) { hosts_ = hosts; }

// Both lists are always searched, so that timing reveals nothing.
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
                   "the Host is not a name of this service: add it to http.hosts");
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

HttpAnswer unknown_origin() {
  return problem(403, "unknown_origin",
                 "requests from this origin are not allowed: add it to http.cors_origins");
}

bool is_preflight(const RequestHead& head) {
  return head.method == "OPTIONS" && !head.origin.empty() && !head.asked_method.empty();
}

bool HttpCors::allows(std::string_view origin) const {
  return std::ranges::find(origins_, origin) != origins_.end();
}

// Browsers send the origin with every request that could change something, and from newer ones
// Sec-Fetch-Site covers the others.
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
