// The part of the table of keys that only a service reads.
#pragma once

#include <vector>

#include "config/fields.h"

namespace neardup {

std::vector<Field> service_fields();

}  // namespace neardup
