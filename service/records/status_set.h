// Sets of statuses, as requests name them.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/model/flag.h"

namespace neardup {

// By the numbers of Status.
using StatusSet = std::bitset<kStatuses>;

// "near_duplicate,rejected"; "" is all of them. Nothing: one is unknown.
std::optional<StatusSet> status_set(std::string_view text);

// The remedy for an unknown one.
std::string status_set_help();

}  // namespace neardup
