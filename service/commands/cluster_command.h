// What commands on a cluster have in common, and what `neardup cluster status` prints.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "service/cli/setup.h"
#include "service/commands/hide_secrets.h"
#include "service/kafka/cluster/command/cluster_client.h"
#include "service/kafka/cluster/command/cluster_status.h"
#include "service/log/log.h"
#include "service/state/settings.h"

namespace neardup {

// Runs `command(client, rule)` with a client of the cluster and the rule of the configuration;
// returns the exit status. Throws Failure.
template <class Command>
int with_cluster(const CommandLine& line, const Command& command) {
  const std::atomic<bool>& stop = stop_requested();
  const Config config = load_configuration(line, ConfigUse::kCluster);
  const Rule rule = make_rule(config);
  Log log({.format = LogFormat::kText, .level = config.log.level});
  hide_secrets(config, log);
  ClusterClient client(config, log, stop);
  try {
    command(client, rule);
    return 0;
  } catch (const Stopped&) {
    return stop_status();
  } catch (const KafkaError& error) {
    throw Failure(Exit::kUnavailable, std::string("kafka: ") + error.what());
  }
}

// `now_ms`: milliseconds since 1970.
std::string cluster_text(const std::string& name, const ClusterStatus& status, std::int64_t now_ms);
std::string cluster_json(const std::string& name, const ClusterStatus& status,
                         std::int64_t now_ms);  // one line

}  // namespace neardup
