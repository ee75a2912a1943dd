// From our options to librdkafka's: what the service needs, what users pass through, secrets.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "config/service_options.h"
#include "service/kafka/client/handles.h"

namespace neardup {

// Of librdkafka.
std::string kafka_client_version();

enum class ClientRole : std::uint8_t {
  kConsumer,       // reads committed records, commits nothing by itself
  kTransactional,  // a producer of transactions
  kIdempotent,     // a producer without transactions (guarantee: at_least_once)
};

// "<group>/<instances>/<instance>"
std::string transactional_id(const KafkaOptions& options);

// Throws Failure(kConfig) that names the key when librdkafka refuses it.
KafkaConf make_conf(const KafkaOptions& options, ClientRole role);

// A value as librdkafka understood it: "60000".
std::string conf_value(const rd_kafka_conf_t* conf, const char* key);

// How often topics and partitions are looked up again: topic.metadata.refresh.interval.ms.
std::chrono::milliseconds metadata_refresh(const KafkaOptions& options);

// How long a transaction may last: transaction.timeout.ms.
std::chrono::milliseconds transaction_timeout(const KafkaOptions& options);

// A client of that role. `events` is its opaque (client_events.h); `more` are settings of
// librdkafka that overrule the user's. Throws Failure(kConfig).
class ClientEvents;
KafkaHandle make_client(const KafkaOptions& options, ClientRole role, ClientEvents& events,
                        const std::map<std::string, std::string>& more = {});

}  // namespace neardup
