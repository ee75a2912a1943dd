// Where the id and the text of a rejected record may be, when they are not where they are looked
// for: what somebody who runs the command on a first file needs to know.
#pragma once

#include <string>
#include <string_view>

#include "config/service_options.h"

namespace neardup {

// What is wrong with the id and the text of `json` and which setting or change of the record mends
// it, as clauses without a full stop, such as "/text is missing, but /content holds a string: set
// input.text_field=/content". Empty when `json` is not a JSON object, or has a string for both.
// Looks two levels of objects deep. Any bytes; takes memory in proportion to them.
std::string advise_on_fields(std::string_view json, const InputOptions& input);

}  // namespace neardup
