// `config show`: a whole configuration as YAML.
#pragma once

#include <string>

#include "config/config.h"

namespace neardup {

// Every key with its value, as the loader reads it. A seed of one's own and secret values of
// `kafka.librdkafka` are not printed: a comment stands in their place.
std::string show_config(const Config& config);

}  // namespace neardup
