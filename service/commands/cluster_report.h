// What `neardup cluster status` prints.
#pragma once

#include <string>

#include "service/kafka/cluster/command/cluster_status.h"

namespace neardup {

std::string cluster_text(const std::string& name, const ClusterStatus& status);
std::string cluster_json(const std::string& name, const ClusterStatus& status);  // one line

}  // namespace neardup
