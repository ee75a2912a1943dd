#include <fmt/core.h>

#include <vector>

#include "config/librdkafka_keys.h"
#include "pipeline/core/failure.h"
#include "service/commands/commands.h"
#include "service/http/handlers.h"
#include "service/http/health.h"
#include "service/http/server.h"
#include "service/kafka/kafka_service.h"
#include "service/library_versions.h"
#include "service/log.h"
#include "service/setup.h"
#include "service/signals.h"

namespace neardup {
namespace {

constexpr int kDrained = 0;

void warn_of_published_seed(const Config& config, Log& log) {
  if (config.sketch.seed != Seed()) return;
  log.warning("published seed",
              {{"detail",
                "sketch.seed is the default that everybody knows: where input is not "
                "trusted, set an own secret one (sketch.seed_file)"}});
}

void hide_secrets(const KafkaOptions& kafka, Log& log) {
  for (const auto& [key, secret] : kafka.secret_values) log.hide(secret);
  for (const auto& [key, value] : kafka.librdkafka) {
    if (is_secret_key(key)) log.hide(value);
  }
}

int serve(const Config& config, const ServeSwitches& switches, Log& log) {
  const std::atomic<bool>& stop = stop_requested();
  const Rule rule = make_rule(config);
  warn_of_published_seed(config, log);
  Health health;
  const HttpServer http(config.http, operation_handlers(health, version_json()));
  log.info("listening", {{"address", http.address()}});
  KafkaService service(config, rule, switches, log, health, stop);
  if (service.run()) return kDrained;
  log.error("not drained in time", {{"detail", "what is stored is delivered by the next start"}});
  return stop_status();
}

}  // namespace

int run_serve(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kService);
  Log log(config.log);
  hide_secrets(config.kafka, log);
  try {
    return serve(config,
                 {line.has("--create-topics"), line.has("--skip-gap"), line.has("--trust-state")},
                 log);
  } catch (const Failure& failure) {
    log.error("ended", {{"status", static_cast<int>(failure.exit())}, {"reason", failure.what()}});
    return static_cast<int>(failure.exit());
  }
}

}  // namespace neardup
