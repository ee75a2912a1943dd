// The largest groups of a state: originals and how many documents repeat each.
#pragma once

#include <span>
#include <string>

#include "storage/store.h"

namespace neardup {

// A table for people.
std::string groups_text(std::span<const DocumentGroup> groups);
// One object.
std::string groups_json(std::span<const DocumentGroup> groups);

}  // namespace neardup
