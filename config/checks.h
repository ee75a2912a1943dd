// Checks that need more than one key, and the files that keys name.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/diagnostics.h"
#include "config/kafka_client.h"

namespace neardup {

struct CheckOptions {
  bool service = false;
  const KafkaClientLibrary* kafka_client = nullptr;  // null: its keys are not looked up
};

// Reads `config.seed_file`, if any, into `config.sketch.seed`, then compares keys with each other.
// For a service also asks for the keys that it needs and reads the files of `kafka.secrets`. Says
// nothing about keys that are broken already.
void finish_config(Config& config, const CheckOptions& options, const Origins& origins,
                   Problems& problems, std::vector<std::string>& warnings);

}  // namespace neardup
