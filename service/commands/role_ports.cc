#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "service/api/routes.h"
#include "service/commands/service_ports.h"
#include "service/control/port_guard.h"
#include "service/http/message/problem.h"

namespace neardup {
namespace {

// Of the requests of the API, by their number of segments behind /v1.
constexpr const char* kPaths[] = {"/v1/{a}", "/v1/{a}/{b}", "/v1/{a}/{b}/{c}",
                                  "/v1/{a}/{b}/{c}/{d}"};

const char* other_role(ClusterRole role) {
  return role == ClusterRole::kShard
             ? "keeps a part of the documents: request one by its id"
             : "keeps no documents: send the request to its decider or its shards";
}

// Every other request of the API is answered by the role that has the documents.
void add_other_routes(const ClusterOptions& cluster, HttpRoutes& routes) {
  const std::string detail =
      fmt::format("this process is a {} of the cluster {} and {}", name(cluster.role), cluster.name,
                  other_role(cluster.role));
  for (const char* path : kPaths) {
    routes.push_back(
        {.methods = {"GET", "POST", "PUT", "PATCH", "DELETE"},
         .path = path,
         .answer = [detail](const HttpRequest&) { return problem(501, "other_role", detail); }});
  }
}

// What can be said of a part of the documents.
void add_part_routes(Control& control, HttpRoutes& routes) {
  HttpRoutes all;
  add_state_routes(control, all);
  std::ranges::copy_if(all, std::back_inserter(routes), [](const HttpRoute& route) {
    return route.name == "get_document" || route.name == "stats";
  });
  control.add_routes(routes);
}

}  // namespace

HttpListeners role_ports(const ServiceContext& context) {
  const Config& config = context.config;
  std::vector<std::string> own_tokens;
  HttpRoutes routes;
  HttpRoutes others;
  if (config.cluster.role == ClusterRole::kShard) {
    own_tokens.push_back(context.control.token());
    add_part_routes(context.control, routes);
  }
  add_other_routes(config.cluster, others);
  return HttpListeners(context, make_guard(config.http, own_tokens, context.log), routes, others);
}

}  // namespace neardup
