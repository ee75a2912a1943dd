#include "service/kafka/client/client_conf.h"

#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <span>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/client/client_events.h"

namespace neardup {
namespace {

constexpr std::size_t kMessageBytes = 512;
constexpr std::chrono::milliseconds kDefaultRefresh{60'000};  // if librdkafka's is turned off

using Setting = std::pair<const char*, const char*>;

// Defaults of the service, which users may override.
constexpr Setting kForAll[] = {
    {"client.id", "neardup"},
    {"socket.keepalive.enable", "true"},
    // Nagle's algorithm is on in librdkafka before 2.10 and delays small requests.
    {"socket.nagle.disable", "true"},
    {"topic.metadata.refresh.interval.ms", "60000"},
    {"reconnect.backoff.max.ms", "5000"},
};
constexpr Setting kForConsumers[] = {
    // By default librdkafka asks for no more during a second after it has found its queue full. The
    // queue is drained sooner than that.
    {"fetch.queue.backoff.ms", "50"},
    {"queued.max.messages.kbytes", "65536"},
    {"queued.min.messages", "1000000"},
    {"fetch.message.max.bytes", "8388608"},
    // Otherwise damaged records would be flagged like intact ones.
    {"check.crcs", "true"},
    // Other requests to the broker wait behind a fetch that waits for new records.
    {"fetch.wait.max.ms", "50"},
};
constexpr Setting kForProducers[] = {
    // The partitioner of Java's producer: equal keys go to equal partitions from every client.
    {"partitioner", "murmur2_random"},
    {"queue.buffering.max.kbytes", "131072"},
    // The coordinator refuses the next transaction for some milliseconds after each one.
    {"retry.backoff.ms", "10"},
    {"message.max.bytes", "104857600"},
};
// The end of a transaction sends what is left at once. A thread of librdkafka that could send more,
// but for a request on its way, looks for news without a pause.
constexpr Setting kForTransactions[] = {
    {"linger.ms", "100"},
};

// The guarantees of the service depend on these; config/checks refuses them from users.
constexpr Setting kOfConsumers[] = {
    {"enable.auto.commit", "false"},  {"enable.auto.offset.store", "false"},
    {"enable.partition.eof", "true"}, {"isolation.level", "read_committed"},
    {"auto.offset.reset", "error"},   {"allow.auto.create.topics", "false"},
};
constexpr Setting kOfProducers[] = {
    {"enable.idempotence", "true"},
};

class ConfBuilder {
 public:
  ConfBuilder() : conf_(rd_kafka_conf_new()) {}

  void set(std::string_view where, const std::string& key, const std::string& value) {
    std::array<char, kMessageBytes> message{};
    const auto result =
        rd_kafka_conf_set(conf_.get(), key.c_str(), value.c_str(), message.data(), message.size());
    if (result == RD_KAFKA_CONF_OK) return;
    // librdkafka's own message would repeat a wrong value, which may be a secret.
    throw Failure(Exit::kConfig,
                  fmt::format("{}.{}: {}", where, key,
                              result == RD_KAFKA_CONF_UNKNOWN
                                  ? "librdkafka has no such key; its CONFIGURATION.md lists them"
                                  : "librdkafka does not accept this value"));
  }

  void set_all(std::span<const Setting> settings) {
    for (const auto& [key, value] : settings) set("kafka.librdkafka", key, value);
  }

  KafkaConf take() { return std::move(conf_); }

 private:
  KafkaConf conf_;
};

std::int64_t conf_number(const KafkaOptions& options, ClientRole role, const char* key) {
  const KafkaConf conf = make_conf(options, role);
  return std::strtoll(conf_value(conf.get(), key).c_str(), nullptr, 10);
}

std::chrono::milliseconds conf_time(const KafkaOptions& options, ClientRole role, const char* key) {
  return std::chrono::milliseconds(conf_number(options, role, key));
}

}  // namespace

std::string kafka_client_version() { return rd_kafka_version_str(); }

std::string transactional_id(const KafkaOptions& options) {
  return fmt::format("{}/{}/{}", options.group_id, options.instances, options.instance);
}

KafkaConf make_conf(const KafkaOptions& options, ClientRole role) {
  const bool consumer = role == ClientRole::kConsumer;
  ConfBuilder builder;
  builder.set_all(kForAll);
  consumer ? builder.set_all(kForConsumers) : builder.set_all(kForProducers);
  if (role == ClientRole::kTransactional) builder.set_all(kForTransactions);
  for (const auto& [key, value] : options.librdkafka) builder.set("kafka.librdkafka", key, value);
  for (const auto& [key, value] : options.secret_values) builder.set("kafka.secrets", key, value);
  consumer ? builder.set_all(kOfConsumers) : builder.set_all(kOfProducers);
  builder.set("kafka", "bootstrap.servers", options.brokers);
  if (consumer) builder.set("kafka", "group.id", options.group_id);
  if (role == ClientRole::kTransactional) {
    builder.set("kafka", "transactional.id", transactional_id(options));
  }
  return builder.take();
}

std::string conf_value(const rd_kafka_conf_t* conf, const char* key) {
  std::array<char, kMessageBytes> value{};
  std::size_t size = value.size();
  if (rd_kafka_conf_get(conf, key, value.data(), &size) != RD_KAFKA_CONF_OK) return {};
  return value.data();
}

std::chrono::milliseconds metadata_refresh(const KafkaOptions& options) {
  const auto time = conf_time(options, ClientRole::kConsumer, "topic.metadata.refresh.interval.ms");
  return time.count() > 0 ? time : kDefaultRefresh;
}

std::chrono::milliseconds transaction_timeout(const KafkaOptions& options) {
  return conf_time(options, ClientRole::kTransactional, "transaction.timeout.ms");
}

std::uint64_t most_message_bytes(const KafkaOptions& options) {
  return static_cast<std::uint64_t>(
      conf_number(options, ClientRole::kIdempotent, "message.max.bytes"));
}

KafkaHandle make_client(const KafkaOptions& options, ClientRole role, ClientEvents& events,
                        const std::map<std::string, std::string>& more) {
  KafkaConf conf = make_conf(options, role);
  for (const auto& [key, value] : more) {
    check(rd_kafka_conf_set(conf.get(), key.c_str(), value.c_str(), nullptr, 0) == RD_KAFKA_CONF_OK
              ? RD_KAFKA_RESP_ERR_NO_ERROR
              : RD_KAFKA_RESP_ERR__INVALID_ARG,
          key);
  }
  events.listen(conf.get());
  std::array<char, kMessageBytes> message{};
  const auto type = role == ClientRole::kConsumer ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER;
  KafkaHandle client(rd_kafka_new(type, conf.get(), message.data(), message.size()));
  if (!client) {
    throw Failure(Exit::kConfig,
                  fmt::format("kafka: no client can be created: {}", std::string(message.data())));
  }
  static_cast<void>(conf.release());  // the client has it now
  if (role == ClientRole::kConsumer) rd_kafka_poll_set_consumer(client.get());
  return client;
}

}  // namespace neardup
