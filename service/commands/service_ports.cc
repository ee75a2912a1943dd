#include "service/commands/service_ports.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "service/api/failures.h"
#include "service/api/routes.h"
#include "service/commands/command_port.h"
#include "service/commands/probe_routes.h"
#include "service/control/port_guard.h"
#include "service/http/spool.h"
#include "service/ingest/http_token.h"
#include "service/kafka/read/fetch.h"
#include "service/monitor/charset_notices.h"
#include "service/page/page.h"
#include "service/report/library_versions.h"

namespace neardup {
namespace {

// Anybody may ask where this machine alone reaches the port, and a body of a few kilobytes can hold
// millions of records.
constexpr DocumentsPort::Limits kChecks{.requests = 64, .answer = std::uint64_t{256} << 20};

// With the token that the service makes itself where none is configured.
HttpOptions with_own_token(const Config& config) {
  HttpOptions http = config.http;
  if (config.reads_kafka() || !http.tokens.empty()) return http;
  http.tokens = {state_token(http, config.storage.path)};
  http.token_file = token_path(config.storage.path);
  return http;
}

// Null where no document can come from Kafka.
KafkaText kafka_text(const Config& config, Log& log) {
  if (!config.reads_kafka()) return nullptr;
  return [&](const TopicPartition& partition, std::int64_t offset) {
    return fetch_text(config, partition, offset, log);
  };
}

// Throws Failure(kConfig) where no file can be made in http.spool_path.
SpoolLimits spool_limits(const Config& config) {
  const HttpOptions& http = config.http;
  if (!http.spool_path.empty()) require_spool_directory(http.spool_path, "http.spool_path");
  return {http.spool_memory, http.spool_disk,
          http.spool_path.empty() ? config.storage.path : http.spool_path};
}

DocumentsPort documents_port(const Config& config, const Rule& rule, SpoolBudget& spools,
                             const DocumentsPort::Limits& limits, DocumentsPort::Answers answers) {
  return DocumentsPort(config.input.max_record_bytes, rule_fingerprint(rule_text(rule)), spools,
                       limits, answers);
}

}  // namespace

ServicePorts::ServicePorts(const Config& config, const Rule& rule, Log& log, Health& health,
                           Control& control, MetricRegistry& registry)
    : spools_(spool_limits(config)),
      documents_(documents_port(config, rule, spools_, {},
                                config.reads_kafka() ? DocumentsPort::Answers::kPositions
                                                     : DocumentsPort::Answers::kFlags)),
      checks_(documents_port(config, rule, spools_, kChecks, DocumentsPort::Answers::kFlags)),
      history_(registry) {
  HttpRoutes routes = probe_routes(health, registry);
  probes_ = probe_port(config.http, routes);
  if (probes_) routes.clear();
  std::ranges::move(make_routes(config, rule, log, control, registry), std::back_inserter(routes));
  add_about_routes(config, rule, program_version(), routes);
  log_failures(log, routes);
  history_.start();
  http_ = std::make_unique<HttpServer>(config.http, routes,
                                       make_guard(with_own_token(config), {control.token()}, log),
                                       make_tls(config.http.tls, log));
  commands_ = command_port(config.http, routes, control.token());
  shown_ = registry.attach([this](Samples& samples) { collect(samples); });
  log.info("listening", {{"address", http_->address()}});
  if (probes_) log.info("listening", {{"address", probes_->address()}, {"for", "probes, metrics"}});
  if (commands_) log.info("listening", {{"address", commands_->address()}, {"for", "commands"}});
}

HttpRoutes ServicePorts::make_routes(const Config& config, const Rule& rule, Log& log,
                                     Control& control, MetricRegistry& registry) {
  HttpRoutes routes;
  routes.push_back(documents_route(documents_));
  routes.push_back(check_route(checks_));
  add_state_routes(control, routes);
  routes.push_back(similar_route(control.searches(), config.search, spools_));
  routes.push_back(flags_route(control.flags()));
  routes.push_back(compare_route(control, config, rule, kafka_text(config, log)));
  control.add_routes(routes);
  routes.push_back(history_route(history_));
  add_page_routes(routes);
  refuse_other_charsets(routes, registry, log);
  return routes;
}

void ServicePorts::collect(Samples& samples) const {
  HttpConnectionCounts counts = http_->connections();
  for (const HttpServer* other : {probes_.get(), commands_.get()}) {
    if (other != nullptr) counts += other->connections();
  }
  show_connections(counts, samples);
  show_spools(spools_, samples);
}

}  // namespace neardup
