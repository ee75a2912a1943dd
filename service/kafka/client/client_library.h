// The settings that librdkafka knows, for the checks of the configuration.
#pragma once

#include <memory>

#include "config/kafka_client.h"

namespace neardup {

std::unique_ptr<KafkaClientLibrary> make_client_library();

}  // namespace neardup
