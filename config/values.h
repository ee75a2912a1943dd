// Values as text: how each type of field is read, written and described.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/fields.h"

namespace neardup {

// Reads `text` into the field's place in `config`; items of a list stand with commas. False, with
// `config` as it was, when it is not a value of that type or is out of bounds. A map has no text.
bool parse_value(const Field& field, std::string_view text, Config& config);

// Sets one entry of a map, in the same way.
bool parse_entry(const Field& map, std::string_view name, std::string_view text, Config& config);

// The field's value as `parse_value` reads it, of a map nothing. Seeds too: the caller keeps them
// secret.
std::string print_value(const Field& field, const Config& config);

// What the field takes: "a whole number from 1 to 16384".
std::string describe_values(const Field& field);

// What an entry of a map takes: "a path".
std::string describe_entry(const Field& map);

// 32 hexadecimal digits.
std::optional<Seed> parse_seed(std::string_view text);

}  // namespace neardup
