#include "service/commands/role_ports.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "service/api/about_routes.h"
#include "service/commands/probe_routes.h"
#include "service/control/port_guard.h"
#include "service/http/message/problem.h"
#include "service/report/library_versions.h"

namespace neardup {
namespace {

// Of the requests of the API, by their number of segments behind /v1.
constexpr const char* kPaths[] = {"/v1/{a}", "/v1/{a}/{b}", "/v1/{a}/{b}/{c}",
                                  "/v1/{a}/{b}/{c}/{d}"};

// Every other request of the API is answered by the role that has the documents.
void add_other_routes(const ClusterOptions& cluster, HttpRoutes& routes) {
  const std::string detail =
      fmt::format("this process is a {} of the cluster {} and keeps no documents: ask its decider",
                  name(cluster.role), cluster.name);
  for (const char* path : kPaths) {
    routes.push_back(
        {.methods = {"GET", "POST", "PUT", "PATCH", "DELETE"},
         .path = path,
         .answer = [detail](const HttpRequest&) { return problem(501, "other_role", detail); }});
  }
}

}  // namespace

RolePorts::RolePorts(const Config& config, const Rule& rule, Log& log, Health& health,
                     MetricRegistry& registry) {
  HttpRoutes routes = probe_routes(health, registry);
  probes_ = probe_port(config.http, routes);
  if (probes_) routes.clear();
  add_about_routes(config, rule, program_version(), routes);
  add_other_routes(config.cluster, routes);
  http_ = std::make_unique<HttpServer>(config.http, routes, make_guard(config.http, {}, log),
                                       make_tls(config.http.tls, log));
  shown_ = registry.attach([this](Samples& samples) { collect(samples); });
  log.info("listening", {{"address", http_->address()}});
  if (probes_) log.info("listening", {{"address", probes_->address()}, {"for", "probes, metrics"}});
}

void RolePorts::collect(Samples& samples) const {
  HttpConnectionCounts counts = http_->connections();
  if (probes_) counts += probes_->connections();
  show_connections(counts, samples);
}

}  // namespace neardup
