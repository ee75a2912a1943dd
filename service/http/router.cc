#include "service/http/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "service/http/message/problem.h"

namespace neardup {
namespace {

// Without its parameters.
std::string_view media_type(std::string_view type) {
  type = type.substr(0, type.find(';'));
  const std::size_t end = type.find_last_not_of(" \t");
  return type.substr(0, end == type.npos ? 0 : end + 1);
}

bool is_plain(std::string_view encoding) { return encoding.empty() || encoding == "identity"; }

bool answers(const HttpRoute& route, const std::string& method) {
  const auto is = [&](const std::string& other) {
    return method == other || (method == "HEAD" && other == "GET");
  };
  return std::ranges::any_of(route.methods, is);
}

void add_methods(const HttpRoute& route, std::vector<std::string>& methods) {
  for (const std::string& method : route.methods) {
    methods.push_back(method);
    if (method == "GET") methods.emplace_back("HEAD");
  }
}

HttpAnswer wrong_method(const std::string& allowed) {
  HttpAnswer answer = problem(405, "method_not_allowed", "only " + allowed + " is allowed here");
  answer.fields.emplace_back("Allow", allowed);
  return answer;
}

bool is_number(std::string_view text, const HttpParameter& parameter) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end && number >= parameter.least &&
         number <= parameter.most;
}

bool is_right(std::string_view value, const HttpParameter& parameter) {
  if (parameter.kind == HttpParameter::Kind::kNumber) return is_number(value, parameter);
  return parameter.words.empty() ||
         std::ranges::find(parameter.words, value) != parameter.words.end();
}

std::string wrong_value(const HttpParameter& parameter) {
  if (parameter.kind == HttpParameter::Kind::kText) {
    return fmt::format("{}: give one of {}: {}", parameter.name, fmt::join(parameter.words, ", "),
                       parameter.about);
  }
  return fmt::format("{}: give a whole number from {} to {}", parameter.name, parameter.least,
                     parameter.most);
}

std::string unknown(const std::string& name, const HttpRoute& route) {
  std::vector<std::string> names;
  for (const HttpParameter& parameter : route.parameters) names.push_back(parameter.name);
  return fmt::format("{}: unknown parameter{}{}", name,
                     names.empty() ? "" : "; known: ", fmt::join(names, ", "));
}

// What is wrong with the values, or "".
std::string check(const TargetValues& values, const HttpRoute& route) {
  for (const auto& [name, value] : values) {
    const auto parameter = std::ranges::find(route.parameters, name, &HttpParameter::name);
    if (parameter == route.parameters.end()) return unknown(name, route);
    if (!is_right(value, *parameter)) return wrong_value(*parameter);
  }
  return {};
}

}  // namespace

HttpTurn HttpRouter::turn(const RequestHead& head) {
  const HttpCaller caller = guard_.caller(head);
  HttpTurn turn = routed(head, caller);
  turn.caller = caller;
  turn.fields = cors_.fields(head.origin);
  return turn;
}

HttpTurn HttpRouter::routed(const RequestHead& head, HttpCaller caller) {
  std::vector<std::string> methods;
  for (const HttpRoute& route : routes_) {
    auto values = match_path(route.path, head.path);
    if (!values) continue;
    if (answers(route, head.method)) return turn(head, route, caller, std::move(*values));
    add_methods(route, methods);
  }
  if (methods.empty()) return {.refusal = not_found()};
  const std::string allowed = fmt::format("{}", fmt::join(methods, ", "));
  return {.refusal =
              is_preflight(head) ? cors_.preflight(head.origin, allowed) : wrong_method(allowed)};
}

HttpTurn HttpRouter::turn(const RequestHead& head, const HttpRoute& route, HttpCaller caller,
                          TargetValues values) {
  // What is open costs little and holds no data; a link on any page may lead to it.
  if (route.access != HttpAccess::kOpen && !cors_.may_ask(head))
    return {.refusal = unknown_origin()};
  if (auto why = guard_.refusal(head, route.access, caller)) return {.refusal = std::move(why)};
  if (route.refuse) {
    if (auto why = route.refuse(head)) return {.refusal = std::move(why)};
  }
  // Probes may have a query that only those who send them understand.
  if (route.access != HttpAccess::kOpen) {
    if (!add_query(head.query, values))
      return {.refusal = problem(400, "wrong_query", "the query cannot be decoded")};
    if (const std::string wrong = check(values, route); !wrong.empty())
      return {.refusal = problem(400, "wrong_parameter", wrong)};
  }
  if (route.takes_body() && !route.open && !is_plain(head.encoding)) {
    return {.refusal = problem(415, "unknown_encoding",
                               "the body of this request may not be compressed: send it as it is")};
  }
  HttpRequest request{.type = std::string(media_type(head.type)),
                      .accept = head.accept,
                      .last_event = head.last_event,
                      .values = std::move(values)};
  if (!route.open) {
    if (route.long_work) request.left = std::make_shared<std::atomic<bool>>(false);
    const ClientLeft left = request.left;
    return {.answer =
                [&route, request = std::move(request)](std::string body) mutable {
                  request.body = std::move(body);
                  return route.answer(request);
                },
            .thread = route.thread,
            .left = left,
            .takes_body = route.takes_body()};
  }
  HttpRoute::Opened opened = route.open(head, request);
  if (HttpAnswer* answer = std::get_if<HttpAnswer>(&opened)) return {.refusal = std::move(*answer)};
  return {.upload = std::get<std::shared_ptr<HttpUpload>>(std::move(opened)), .takes_body = true};
}

HttpAnswer HttpRouter::not_found() const {
  std::vector<std::string_view> paths;
  for (const HttpRoute& route : routes_) {
    if (std::ranges::find(paths, route.path) == paths.end()) paths.emplace_back(route.path);
  }
  return problem(404, "not_found", fmt::format("unknown path; known: {}", fmt::join(paths, " ")));
}

}  // namespace neardup
