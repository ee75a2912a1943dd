#include "service/commands/role_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "service/api/failures.h"
#include "service/api/routes.h"
#include "service/commands/command_port.h"
#include "service/commands/probe_routes.h"
#include "service/control/port_guard.h"
#include "service/http/message/problem.h"
#include "service/monitor/charset_notices.h"
#include "service/report/library_versions.h"

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

RolePorts::RolePorts(const ServiceContext& context) {
  const Config& config = context.config;
  Log& log = context.log;
  const bool has_part = config.cluster.role == ClusterRole::kShard;
  std::vector<std::string> own_tokens;
  if (has_part) own_tokens.push_back(context.control.token());
  HttpRoutes routes = probe_routes(context.health, context.registry);
  probes_ = probe_port(config.http, routes);
  if (probes_) routes.clear();
  if (has_part) add_part_routes(context.control, routes);
  add_about_routes(config, context.rule, program_version(), routes);
  add_other_routes(config.cluster, routes);
  refuse_other_charsets(routes, context.registry, log);
  log_failures(log, routes);
  http_ =
      std::make_unique<HttpServer>(config.http, routes, make_guard(config.http, own_tokens, log),
                                   make_tls(config.http.tls, log));
  if (has_part) commands_ = command_port(config.http, routes, context.control.token());
  shown_ = context.registry.attach([this](Samples& samples) { collect(samples); });
  log.info("listening", {{"address", http_->address()}});
  if (probes_) log.info("listening", {{"address", probes_->address()}, {"for", "probes, metrics"}});
  if (commands_) log.info("listening", {{"address", commands_->address()}, {"for", "commands"}});
}

void RolePorts::collect(Samples& samples) const {
  HttpConnectionCounts counts = http_->connections();
  for (const HttpServer* other : {probes_.get(), commands_.get()}) {
    if (other != nullptr) counts += other->connections();
  }
  show_connections(counts, samples);
}

}  // namespace neardup
