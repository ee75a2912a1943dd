// Headers of a message by their name, of which there may be several.
#pragma once

#include <span>
#include <string_view>

#include "pipeline/ports.h"

namespace neardup {

// What the last header of that name says; empty where it is null or there is none.
std::string_view last_header(std::span<const RawHeader> headers, std::string_view name);

}  // namespace neardup
