// The part of the table of keys that tells of the state: where it lies and what it keeps.
#pragma once

#include <vector>

#include "config/fields.h"

namespace neardup {

std::vector<Field> state_fields();

}  // namespace neardup
