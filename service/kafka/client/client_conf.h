// Makes librdkafka's settings from ours: required ones, pass-through ones, secrets.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "config/service_options.h"
#include "service/kafka/client/handles.h"

namespace neardup {

// The version of librdkafka: "2.8.0".
std::string kafka_client_version();

enum class ClientRole : std::uint8_t {
  kConsumer,       // reads committed records, commits nothing by itself
  kTransactional,  // a producer of transactions
  kIdempotent,     // a producer without transactions (guarantee: at_least_once)
};

// "<group>/<instances>/<instance>"
std::string transactional_id(const KafkaOptions& options);

// The settings of a client. Throws Failure(kConfig) that names a key that librdkafka refuses.
KafkaConf make_conf(const KafkaOptions& options, ClientRole role);

// The value of `key` as librdkafka parsed it, such as "60000"; empty when it has none.
std::string conf_value(const rd_kafka_conf_t* conf, const char* key);

// How often topics and partitions are looked up again: topic.metadata.refresh.interval.ms.
std::chrono::milliseconds metadata_refresh(const KafkaOptions& options);

// How long a transaction may last: transaction.timeout.ms.
std::chrono::milliseconds transaction_timeout(const KafkaOptions& options);

// How large a message may be that a producer sends: message.max.bytes.
std::uint64_t most_message_bytes(const KafkaOptions& options);

// A client of that role. It reports to `events`, which must outlive it; `more` are settings of
// librdkafka that override the user's. Throws Failure(kConfig).
class ClientEvents;
KafkaHandle make_client(const KafkaOptions& options, ClientRole role, ClientEvents& events,
                        const std::map<std::string, std::string>& more = {});

}  // namespace neardup
