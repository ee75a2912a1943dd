#include "service/commands/hide_secrets.h"

#include "config/librdkafka_keys.h"

namespace neardup {

void hide_secrets(const Config& config, Log& log) {
  const KafkaOptions& kafka = config.kafka;
  for (const std::string& token : config.http.tokens) log.hide(token);
  for (const std::string& token : config.http.read_tokens) log.hide(token);
  for (const auto& [key, secret] : kafka.secret_values) log.hide(secret);
  for (const auto& [key, value] : kafka.librdkafka) {
    if (is_secret_key(key)) log.hide(value);
  }
}

}  // namespace neardup
