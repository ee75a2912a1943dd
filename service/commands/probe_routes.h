// The routes of every process of a service: probes and metrics.
#pragma once

#include <memory>

#include "config/service_options.h"
#include "metrics/registry.h"
#include "service/http/health.h"
#include "service/http/server.h"
#include "service/http/spool.h"

namespace neardup {

// Requires: both outlive the routes.
HttpRoutes probe_routes(const Health& health, MetricRegistry& registry);

// A separate port for probes and metrics, or null.
std::unique_ptr<HttpServer> probe_port(HttpOptions options, const HttpRoutes& routes);

void show_connections(const HttpConnectionCounts& counts, Samples& samples);
void show_spools(const SpoolBudget& budget, Samples& samples);

}  // namespace neardup
