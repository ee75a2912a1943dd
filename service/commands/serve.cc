#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "metrics/registry.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/hide_secrets.h"
#include "service/commands/service_ports.h"
#include "service/control/control.h"
#include "service/http/health.h"
#include "service/ingest/http_token.h"
#include "service/kafka/cluster/resolver/resolver_service.h"
#include "service/kafka/cluster/shard/shard_service.h"
#include "service/kafka/cluster/sketcher/sketcher_service.h"
#include "service/kafka/kafka_service.h"
#include "service/kafka/read/topic_watch.h"
#include "service/log/log.h"
#include "service/log/raw_line.h"
#include "service/monitor/collectors.h"
#include "service/report/library_versions.h"
#include "service/serve/ingest_service.h"
#include "service/serve/service_context.h"
#include "service/serve/service_runner.h"
#include "service/state/settings.h"

namespace neardup {
namespace {

constexpr int kDrained = 0;
constexpr std::chrono::seconds kLongestEnd{5};
constexpr std::string_view kProgram = "neardup: ";

void warn_of_published_seed(const Config& config, Log& log) {
  if (config.sketch.seed != Seed()) return;
  log.warning("published seed", {{"detail",
                                  "sketch.seed is the published default: where input is not "
                                  "trusted, set a secret one (sketch.seed_file)"}});
}

int report(Exit exit, const char* reason, Log& log) {
  const int status = static_cast<int>(exit);
  log.error("ended", {{"status", status}, {"reason", reason}});
  return status;
}

int report(const Failure& failure, Log& log) { return report(failure.exit(), failure.what(), log); }

// What `run` returns, or the exit status for what ends it, which becomes an event.
int logged(LogFormat format, Log& log, const std::function<int()>& run) {
  try {
    return run();
  } catch (const Failure& failure) {
    return report(failure, log);
  } catch (const std::bad_alloc&) {
    write_raw_error(format, "ended", kOutOfMemory);
    return static_cast<int>(Exit::kInternal);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(Exit::kIo, error.what(), log);
  } catch (const std::exception& error) {
    return report(Exit::kInternal, error.what(), log);
  }
}

// People read what is said before the service starts: not as events.
bool at_terminal() { return isatty(STDERR_FILENO) == 1; }

// Ends the process when closing a client hangs, as in librdkafka 2.0. All data is on disk by now.
void end_in_time(int status) {
  std::thread([status] {
    std::this_thread::sleep_for(kLongestEnd);
    std::_Exit(status);
  }).detach();
}

// The exit status of a process with clients of Kafka.
int run_to_end(ServiceRunner& runner, Role& role) {
  Log& log = runner.context().log;
  int status = 0;
  try {
    status = runner.run(role);
  } catch (const TopicMadeAgain& failure) {
    std::_Exit(report(failure, log));  // all data is on disk by now; no client must be closed
  } catch (const Failure& failure) {
    status = report(failure, log);
  }
  end_in_time(status);
  return status;
}

int decide_topics(const ServiceContext& context) {
  ServiceApi ports(context);
  ServiceRunner runner(context, kafka_of_topics(context.config));
  KafkaService role(runner, ports.documents(), ports.control_url());
  return run_to_end(runner, role);
}

int decide_requests(const ServiceContext& context) {
  ServiceApi ports(context);
  const std::string url = ports.local_url();
  fmt::print("{}\nPage: {}/\n", curl_line(context.config.http, context.config.storage.path, url),
             url);
  std::fflush(stdout);
  ServiceRunner runner(context);
  IngestService role(runner, ports.documents(), ports.control_url());
  return runner.run(role);
}

int sketch(const ServiceContext& context) {
  const HttpListeners ports = role_ports(context);
  ServiceRunner runner(context, kafka_of_sketcher(context.config));
  SketcherService role(runner);
  return run_to_end(runner, role);
}

int keep_shard(const ServiceContext& context) {
  const HttpListeners ports = role_ports(context);
  ServiceRunner runner(context, kafka_of_shard(context.config));
  ShardService role(runner, ports.control_url());
  return run_to_end(runner, role);
}

int resolve(const ServiceContext& context) {
  const HttpListeners ports = role_ports(context);
  ServiceRunner runner(context, kafka_of_resolver(context.config));
  ResolverService role(runner);
  return run_to_end(runner, role);
}

int run_role(const ServiceContext& context) {
  switch (context.config.cluster.role) {
    case ClusterRole::kSketcher:
      return sketch(context);
    case ClusterRole::kShard:
      return keep_shard(context);
    case ClusterRole::kResolver:
      return resolve(context);
    case ClusterRole::kAll:
    case ClusterRole::kDecider:
      break;
  }
  return context.config.reads_kafka() ? decide_topics(context) : decide_requests(context);
}

void collect_state(const Control& control, Samples& samples) {
  samples.set(Metric::kDeletesByCommand, static_cast<double>(control.deleted()));
  const auto counts = control.backups().counts();
  if (!counts) return;
  samples.set(Metric::kBackupLatest, static_cast<double>(counts->latest_ms) / 1000);
  samples.set(Metric::kBackups, static_cast<double>(counts->made), BackupOutcome::kSuccess);
  samples.set(Metric::kBackups, static_cast<double>(counts->failed), BackupOutcome::kFailure);
}

// Metrics of the process itself.
void collect_program(const Config& config, const Control& control, Samples& samples) {
  samples.set(Metric::kBuildInfo, 1, build_versions());
  samples.set(Metric::kInstances, config.kafka.instances, {config.kafka.group_id});
  collect_process(samples);
  if (keeps_state(config.cluster.role)) collect_state(control, samples);
}

int serve(const Config& config, const ServeSwitches& switches, Log& log) {
  const std::atomic<bool>& stop = stop_requested();  // from now on signals stop the service
  const Rule rule = make_rule(config);
  warn_of_published_seed(config, log);
  Health health;
  Control control(config.backup, config.storage.path, rule, health, log);
  if (config.cluster.role != ClusterRole::kAll) control.delete_by_input();
  MetricRegistry registry;
  const auto shown =
      registry.attach([&](Samples& samples) { collect_program(config, control, samples); });
  return run_role({config, rule, switches, log, health, control, registry, stop});
}

}  // namespace

int run_serve(const CommandLine& line) {
  const LogOptions first;  // until the configuration says how to log
  log_sudden_ends(first.format);
  Log first_log(first);
  LoadResult loaded;
  const int status = logged(first.format, first_log, [&] {
    loaded = read_configuration(line, ConfigUse::kService, nullptr);
    return kDrained;
  });
  if (status != kDrained) return status;
  if (at_terminal()) loaded.config = usable_configuration(std::exchange(loaded, {}));
  const LogOptions options = loaded.config.log;
  log_sudden_ends(options.format);
  Log log(options);
  return logged(options.format, log, [&] {
    hide_secrets(loaded.config, log);
    for (const std::string& warning : std::exchange(loaded.warnings, {}))
      log.warning("configuration", {{"detail", warning}});
    const Config config = usable_configuration(std::move(loaded));
    return serve(config,
                 {line.has("--create-topics"), line.has("--skip-gap"), line.has("--trust-state"),
                  line.has("--change-layout")},
                 log);
  });
}

int refuse_serve(std::string_view usage) {
  const int status = static_cast<int>(Exit::kUsage);
  if (at_terminal()) {
    fmt::print(stderr, "{}", usage);
    return status;
  }
  if (usage.starts_with(kProgram)) usage.remove_prefix(kProgram.size());
  usage = usage.substr(0, usage.find_last_not_of('\n') + 1);
  Log log{LogOptions()};
  log.error("ended", {{"status", status}, {"reason", usage}});
  return status;
}

}  // namespace neardup
