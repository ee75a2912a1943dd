// Values as text: how each type of field is read, written and described.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/fields.h"

namespace neardup {

// Reads `text` into the field's place in `config`; commas separate the items of a list. Returns
// false and leaves `config` unchanged when `text` is not a valid value. Always false for a map.
bool parse_value(const Field& field, std::string_view text, Config& config);

// Sets one entry of a map, in the same way.
bool parse_entry(const Field& map, std::string_view name, std::string_view text, Config& config);

// The field's value as `parse_value` reads it; "" for a map. Prints seeds: the caller must keep
// them secret.
std::string print_value(const Field& field, const Config& config);

// Describes the valid values: "a whole number from 1 to 16384".
std::string describe_values(const Field& field);

// Describes the valid values of a map's entry: "a path".
std::string describe_entry(const Field& map);

// 32 hexadecimal digits.
std::optional<Seed> parse_seed(std::string_view text);

}  // namespace neardup
