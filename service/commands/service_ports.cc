#include "service/commands/service_ports.h"

#include <cstdint>
#include <utility>

#include "service/api/routes.h"
#include "service/control/port_guard.h"
#include "service/http/spool.h"
#include "service/ingest/http_token.h"
#include "service/kafka/read/fetch.h"
#include "service/page/page.h"

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

DocumentsPort documents_port(const ServiceContext& context, SpoolBudget& spools,
                             const DocumentsPort::Limits& limits, DocumentsPort::Answers answers) {
  return DocumentsPort(context.config.input.max_record_bytes,
                       rule_fingerprint(rule_text(context.rule)), spools, limits, answers);
}

void collect_spools(const SpoolBudget& budget, Samples& samples) {
  for_each_label<SpoolPlace>([&](SpoolPlace place) {
    samples.set(Metric::kHttpSpoolBytes, static_cast<double>(budget.used(place)), place);
    samples.set(Metric::kHttpSpoolLimit, static_cast<double>(budget.limit(place)), place);
  });
  samples.set(Metric::kHttpRefused, static_cast<double>(budget.refused()), HttpRoom::kAnswer);
}

}  // namespace

ServiceApi::ServiceApi(const ServiceContext& context)
    : spools_(spool_limits(context.config)),
      documents_(documents_port(context, spools_, {},
                                context.config.reads_kafka() ? DocumentsPort::Answers::kPositions
                                                             : DocumentsPort::Answers::kFlags)),
      checks_(documents_port(context, spools_, kChecks, DocumentsPort::Answers::kFlags)),
      history_(context.registry),
      listeners_(context,
                 make_guard(with_own_token(context.config), {context.control.token()}, context.log),
                 make_routes(context)),
      shown_spools_(
          context.registry.attach([this](Samples& samples) { collect_spools(spools_, samples); })) {
  history_.start();
}

HttpRoutes ServiceApi::make_routes(const ServiceContext& context) {
  const Config& config = context.config;
  Control& control = context.control;
  HttpRoutes routes;
  routes.push_back(documents_route(documents_));
  routes.push_back(check_route(checks_));
  add_state_routes(control, routes);
  routes.push_back(similar_route(control.searches(), config.search, spools_));
  routes.push_back(flags_route(control.flags()));
  routes.push_back(compare_route(control, config, context.rule, kafka_text(config, context.log)));
  control.add_routes(routes);
  routes.push_back(history_route(history_));
  add_page_routes(routes);
  return routes;
}

}  // namespace neardup
