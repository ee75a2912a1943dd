// Which texts the fields of text-like types take.
#pragma once

#include <string_view>

#include "config/fields.h"

namespace neardup {

// Is `text` a value of the field? Of a list: one item of it; of a map: the value of an entry. Empty
// texts stand for "none" where a field has no default.
bool valid_text(const Field& field, std::string_view text);

// May a map have an entry of this name?
bool valid_entry_name(std::string_view name);

}  // namespace neardup
