// POST /v1/compare.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/http/route.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// As fetch_text of service/kafka/read/fetch.h; empty: the service reads no Kafka.
using KafkaText = std::function<std::string(const TopicPartition& partition, std::int64_t offset)>;

// Requires: the references outlive the server of the route.
HttpRoute compare_route(Control& control, const Config& config, const Rule& rule,
                        KafkaText kafka_text);

}  // namespace neardup
