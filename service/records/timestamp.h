// Times of records → milliseconds since 1970, UTC; nothing outside the years 0000 to 9999.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace neardup {

// A number in JSON's form: seconds, or milliseconds when it is 1e11 or more; fractions are allowed.
std::optional<std::int64_t> number_timestamp(std::string_view number);

// RFC 3339, §5.6 ("2024-02-29T12:00:00.5+01:00"); a leap second counts as the second after it,
// digits after the third of a fraction are cut off.
std::optional<std::int64_t> rfc3339_timestamp(std::string_view text);

}  // namespace neardup
