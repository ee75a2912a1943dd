// What `neardup cluster status` prints.
#pragma once

#include <cstdint>
#include <string>

#include "service/kafka/cluster/command/cluster_status.h"

namespace neardup {

// `now_ms`: milliseconds since 1970.
std::string cluster_text(const std::string& name, const ClusterStatus& status, std::int64_t now_ms);
std::string cluster_json(const std::string& name, const ClusterStatus& status,
                         std::int64_t now_ms);  // one line

}  // namespace neardup
