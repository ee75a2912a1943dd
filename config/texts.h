// Which texts the fields of text-like types accept.
#pragma once

#include <string_view>

#include "config/fields.h"

namespace neardup {

// Is `text` a valid value of the field, an item of a list field, or the value of a map's entry? An
// empty text means "none" for fields without a default.
bool valid_text(const Field& field, std::string_view text);

// May a map have an entry of this name?
bool valid_entry_name(std::string_view name);

}  // namespace neardup
