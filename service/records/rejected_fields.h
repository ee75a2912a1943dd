// Advice about a rejected record whose id or text is not in the configured field: which field may
// hold it.
#pragma once

#include <string>
#include <string_view>

#include "config/service_options.h"

namespace neardup {

// What is wrong with the id and the text of `json` and which setting or change of the record fixes
// it, as clauses without a full stop, such as "there is no text /text, but /content holds a string
// of 12 bytes: set input.text_field=/content". Empty when `json` is not a JSON object, or has a
// string for both. Looks two levels of objects deep. `json` may be any bytes.
std::string advise_on_fields(std::string_view json, const InputOptions& input);

}  // namespace neardup
