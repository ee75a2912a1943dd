// Removes vowel signs and the tatweel of Arabic, and points and cantillation marks of Hebrew, which
// most texts leave out (`text.fold: marks`; docs/formats/text.md, "Marks that are folded").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace neardup {

enum class TextFold : std::uint8_t { kNone, kMarks };
inline constexpr std::array<std::string_view, 2> kTextFoldNames{"none", "marks"};
constexpr std::span<const std::string_view> names(TextFold) { return kTextFoldNames; }

// False: `text` has none of these marks. Else overwrites `out` with the text without them.
// Requires: valid UTF-8.
bool remove_marks(std::string_view text, std::string& out);

}  // namespace neardup
