#include <algorithm>
#include <cstdint>
#include <iterator>

#include "service/api/failures.h"
#include "service/api/routes.h"
#include "service/commands/service_ports.h"
#include "service/control/port_guard.h"
#include "service/http/health.h"
#include "service/report/library_versions.h"

namespace neardup {
namespace {

HttpRoute metrics_route(MetricRegistry& registry) {
  return {.methods = {"GET"},
          .path = "/metrics",
          .thread = HttpThread::kScrape,
          .answer =
              [&registry](const HttpRequest&) {
                return HttpAnswer{200, registry.scrape(), kMetricsContentType};
              },
          .name = "metrics",
          .about = "The metrics of the service, for Prometheus."};
}

// Null where no such port is configured.
std::unique_ptr<HttpServer> probe_port(HttpOptions options, const HttpRoutes& routes) {
  if (options.metrics_listen.empty()) return nullptr;
  options.listen = options.metrics_listen;
  return std::make_unique<HttpServer>(options, routes, HttpGuard(), nullptr, "http.metrics_listen");
}

// Where the API has TLS: a port without it for those of its routes that are for commands, which
// find it by the control file. Else null.
std::unique_ptr<HttpServer> command_port(HttpOptions options, const HttpRoutes& routes,
                                         const std::string& token) {
  if (options.tls.cert_file.empty()) return nullptr;
  HttpRoutes of_commands;
  std::ranges::copy_if(routes, std::back_inserter(of_commands), [](const HttpRoute& route) {
    return route.path.starts_with("/v1/control/");
  });
  HttpGuard guard;
  guard.set_writers({token});
  options.listen = "127.0.0.1:0";
  return std::make_unique<HttpServer>(options, of_commands, guard);
}

}  // namespace

HttpListeners::HttpListeners(const ServiceContext& context, const HttpGuard& guard,
                             const HttpRoutes& routes, const HttpRoutes& others) {
  const Config& config = context.config;
  Log& log = context.log;
  HttpRoutes all = operation_routes(context.health, version_json());
  all.push_back(metrics_route(context.registry));
  probes_ = probe_port(config.http, all);
  if (probes_) all.clear();
  all.insert(all.end(), routes.begin(), routes.end());
  add_about_routes(config, context.rule, program_version(), all);
  all.insert(all.end(), others.begin(), others.end());
  refuse_other_charsets(all, context.registry, log);
  log_failures(log, all);
  http_ = std::make_unique<HttpServer>(config.http, all, guard, make_tls(config.http.tls, log));
  if (keeps_state(config.cluster.role))
    commands_ = command_port(config.http, all, context.control.token());
  shown_ = context.registry.attach([this](Samples& samples) { collect(samples); });
  log.info("listening", {{"address", http_->address()}});
  if (probes_) log.info("listening", {{"address", probes_->address()}, {"for", "probes, metrics"}});
  if (commands_) log.info("listening", {{"address", commands_->address()}, {"for", "commands"}});
}

void HttpListeners::collect(Samples& samples) const {
  HttpConnectionCounts counts = http_->connections();
  for (const HttpServer* other : {probes_.get(), commands_.get()}) {
    if (other != nullptr) counts += other->connections();
  }
  samples.set(Metric::kHttpConnections, static_cast<double>(counts.open));
  const auto cut = [&](std::uint64_t connections, ConnectionLimit limit) {
    samples.set(Metric::kHttpConnectionsCut, static_cast<double>(connections), limit);
  };
  cut(counts.for_connections, ConnectionLimit::kConnections);
  cut(counts.for_connections_of_client, ConnectionLimit::kConnectionsOfClient);
  cut(counts.for_size, ConnectionLimit::kSize);
  cut(counts.for_time, ConnectionLimit::kTime);
  samples.set(Metric::kHttpRefused, static_cast<double>(counts.bodies_refused), HttpRoom::kBody);
}

}  // namespace neardup
