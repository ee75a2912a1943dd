#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <thread>

#include "config/librdkafka_keys.h"
#include "metrics/registry.h"
#include "pipeline/core/failure.h"
#include "service/api/about_routes.h"
#include "service/api/compare_route.h"
#include "service/api/flags_route.h"
#include "service/api/history_route.h"
#include "service/api/similar_route.h"
#include "service/api/state_routes.h"
#include "service/cli/setup.h"
#include "service/cli/signals.h"
#include "service/commands/commands.h"
#include "service/control/control.h"
#include "service/control/port_guard.h"
#include "service/http/health.h"
#include "service/http/operation_routes.h"
#include "service/http/server.h"
#include "service/ingest/documents_port.h"
#include "service/ingest/http_token.h"
#include "service/ingest/ingest_service.h"
#include "service/kafka/kafka_service.h"
#include "service/kafka/read/text_at.h"
#include "service/log/log.h"
#include "service/monitor/history.h"
#include "service/monitor/process_collector.h"
#include "service/page/page_routes.h"
#include "service/report/library_versions.h"

namespace neardup {
namespace {

constexpr int kDrained = 0;
// Anybody may ask where this machine alone reaches the port, and a body of a few kilobytes can hold
// millions of records.
constexpr DocumentsPort::Limits kChecks{.requests = 64, .answer = std::uint64_t{256} << 20};
constexpr std::chrono::seconds kLongestEnd{5};

void warn_of_published_seed(const Config& config, Log& log) {
  if (config.sketch.seed != Seed()) return;
  log.warning("published seed", {{"detail",
                                  "sketch.seed is the published default: where input is not "
                                  "trusted, set a secret one (sketch.seed_file)"}});
}

void hide_secrets(const Config& config, Log& log) {
  const KafkaOptions& kafka = config.kafka;
  for (const std::string& token : config.http.tokens) log.hide(token);
  for (const std::string& token : config.http.read_tokens) log.hide(token);
  for (const auto& [key, secret] : kafka.secret_values) log.hide(secret);
  for (const auto& [key, value] : kafka.librdkafka) {
    if (is_secret_key(key)) log.hide(value);
  }
}

// The others may be null.
void collect_ports(const HttpServer& http, std::initializer_list<const HttpServer*> others,
                   Samples& samples) {
  HttpConnectionCounts counts = http.connections();
  for (const HttpServer* other : others) {
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
}

int report(const Failure& failure, Log& log) {
  const int status = static_cast<int>(failure.exit());
  log.error("ended", {{"status", status}, {"reason", failure.what()}});
  return status;
}

// Ends the process when closing a client hangs, as in librdkafka 2.0. All data is on disk by now.
void end_in_time(int status) {
  std::thread([status] {
    std::this_thread::sleep_for(kLongestEnd);
    std::_Exit(status);
  }).detach();
}

// What both kinds of service need.
struct Common {
  const Config& config;
  const Rule& rule;
  Log& log;
  Health& health;
  Control& control;
  MetricRegistry& registry;
  std::string control_url;
};

int run_on_kafka(const Common& common, const ServeSwitches& switches, DocumentsPorts ports) {
  KafkaService service(common.config, common.rule, switches, common.log, common.health,
                       common.control, common.registry, ports, common.control_url,
                       stop_requested());
  int status = kDrained;
  try {
    if (!service.run()) {
      common.log.error("not drained in time",
                       {{"detail", "what is stored is delivered by the next start"}});
      status = stop_status();
    }
  } catch (const Failure& failure) {
    status = report(failure, common.log);
  }
  end_in_time(status);
  return status;
}

int run_on_requests(const Common& common, DocumentsPort& port, DocumentsPort& checks) {
  IngestService service(common.config, common.rule, common.log, common.health, common.control,
                        common.registry, port, checks, common.control_url, stop_requested());
  try {
    service.run();
    return kDrained;
  } catch (const Failure& failure) {
    return report(failure, common.log);
  }
}

void collect_backups(const Control& control, Samples& samples) {
  const auto counts = control.backups().counts();
  if (!counts) return;
  samples.set(Metric::kBackupLatest, static_cast<double>(counts->latest_ms) / 1000);
  samples.set(Metric::kBackups, static_cast<double>(counts->made), BackupOutcome::kSuccess);
  samples.set(Metric::kBackups, static_cast<double>(counts->failed), BackupOutcome::kFailure);
}

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

// A port of their own for probes and metrics, or null.
std::unique_ptr<HttpServer> probe_port(HttpOptions options, const HttpRoutes& routes) {
  if (options.metrics_listen.empty()) return nullptr;
  options.listen = options.metrics_listen;
  return std::make_unique<HttpServer>(options, routes, HttpGuard(), nullptr, "http.metrics_listen");
}

// Where the other port has TLS: a port without it for commands on this machine, which reach it by
// the control file. Else null.
std::unique_ptr<HttpServer> command_port(HttpOptions options, Control& control) {
  if (options.tls.cert_file.empty()) return nullptr;
  HttpRoutes routes;
  control.add_routes(routes);
  HttpGuard guard;
  guard.set_writers({control.token()});
  options.listen = "127.0.0.1:0";
  return std::make_unique<HttpServer>(options, routes, guard);
}

// Tokens of the service that may write.
std::vector<std::string> own_tokens(const Config& config, const Control& control) {
  std::vector<std::string> tokens{control.token()};
  if (!config.reads_kafka() && config.http.tokens.empty())
    tokens.push_back(state_token(config.http, config.storage.path));
  return tokens;
}

int serve(const Config& config, const ServeSwitches& switches, Log& log) {
  stop_requested();  // from now on signals stop the service
  const Rule rule = make_rule(config);
  warn_of_published_seed(config, log);
  Health health;
  Control control(config.backup, config.storage.path, health, log);
  MetricRegistry registry;
  const auto shown = registry.attach([&config, &control](Samples& samples) {
    samples.set(Metric::kBuildInfo, 1, build_versions());
    samples.set(Metric::kInstances, config.kafka.instances, {config.kafka.group_id});
    samples.set(Metric::kDeletesByCommand, static_cast<double>(control.deleted()));
    collect_backups(control, samples);
    collect_process(samples);
  });
  const bool kafka = config.reads_kafka();
  const std::string fingerprint = rule_fingerprint(rule_text(rule));
  const std::string& state = config.storage.path;
  using Answers = DocumentsPort::Answers;
  DocumentsPort documents(config.input.max_record_bytes, fingerprint, state,
                          DocumentsPort::Limits(), kafka ? Answers::kPositions : Answers::kFlags);
  DocumentsPort checks(config.input.max_record_bytes, fingerprint, state, kChecks);
  HttpRoutes routes = operation_routes(health, version_json());
  routes.push_back(metrics_route(registry));
  const auto probes = probe_port(config.http, routes);
  if (probes) routes.clear();
  routes.push_back(documents_route(documents));
  routes.push_back(check_route(checks));
  add_state_routes(control, routes);
  routes.push_back(similar_route(control.searches()));
  routes.push_back(flags_route(control.flags()));
  KafkaText kafka_text;
  if (kafka) {
    kafka_text = [&](const TopicPartition& partition, std::int64_t offset) {
      return kafka_text_at(config, partition, offset, log);
    };
  }
  routes.push_back(compare_route(control, config, rule, std::move(kafka_text)));
  control.add_routes(routes);
  History history(registry);
  history.start();
  routes.push_back(history_route(history));
  add_page_routes(routes);
  add_about_routes(config, rule, program_version(), routes);
  const HttpServer http(config.http, routes,
                        make_guard(config.http, own_tokens(config, control), log),
                        make_tls(config.http.tls, log));
  const auto commands = command_port(config.http, control);
  const auto shown_port = registry.attach([&](Samples& samples) {
    collect_ports(http, {probes.get(), commands.get()}, samples);
  });
  log.info("listening", {{"address", http.address()}});
  if (probes) log.info("listening", {{"address", probes->address()}, {"for", "probes, metrics"}});
  if (commands) log.info("listening", {{"address", commands->address()}, {"for", "commands"}});
  const std::string control_url = commands ? commands->local_url() : http.local_url();
  const Common common{config, rule, log, health, control, registry, control_url};
  if (kafka) return run_on_kafka(common, switches, {documents, checks});
  fmt::print("{}\nPage: {}/\n", curl_line(config.http, config.storage.path, http.local_url()),
             http.local_url());
  std::fflush(stdout);
  return run_on_requests(common, documents, checks);
}

}  // namespace

int run_serve(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kService);
  Log log(config.log);
  hide_secrets(config, log);
  try {
    return serve(config,
                 {line.has("--create-topics"), line.has("--skip-gap"), line.has("--trust-state"),
                  line.has("--change-layout")},
                 log);
  } catch (const Failure& failure) {
    return report(failure, log);
  }
}

}  // namespace neardup
