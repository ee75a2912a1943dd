#include "service/commands/probe_routes.h"

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

}  // namespace

HttpRoutes probe_routes(const Health& health, MetricRegistry& registry) {
  HttpRoutes routes = operation_routes(health, version_json());
  routes.push_back(metrics_route(registry));
  return routes;
}

std::unique_ptr<HttpServer> probe_port(HttpOptions options, const HttpRoutes& routes) {
  if (options.metrics_listen.empty()) return nullptr;
  options.listen = options.metrics_listen;
  return std::make_unique<HttpServer>(options, routes, HttpGuard(), nullptr, "http.metrics_listen");
}

void show_connections(const HttpConnectionCounts& counts, Samples& samples) {
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

void show_spools(const SpoolBudget& budget, Samples& samples) {
  for_each_label<SpoolPlace>([&](SpoolPlace place) {
    samples.set(Metric::kHttpSpoolBytes, static_cast<double>(budget.used(place)), place);
    samples.set(Metric::kHttpSpoolLimit, static_cast<double>(budget.limit(place)), place);
  });
  samples.set(Metric::kHttpRefused, static_cast<double>(budget.refused()), HttpRoom::kAnswer);
}

}  // namespace neardup
