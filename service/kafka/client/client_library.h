// librdkafka's knowledge of its own settings, for the configuration's checks.
#pragma once

#include <memory>

#include "config/kafka_client.h"

namespace neardup {

std::unique_ptr<KafkaClientLibrary> make_client_library();

}  // namespace neardup
