// Flags as Python objects: columns, rows, and rows of a service's JSON.
#pragma once

#include <nanobind/nanobind.h>

namespace neardup {

// Adds the class Flags to the module.
void bind_flags(nanobind::module_& module);

}  // namespace neardup
