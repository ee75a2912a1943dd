// Recognises other forms of a record that is not a JSON object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pipeline/model/notice.h"

namespace neardup {

// "UTF-16" with a byte order mark, "UTF-16LE" or "UTF-16BE" without one, as `iconv` calls them; ""
// for anything else. Looks at the first four bytes, which hold ASCII in all records of JSON.
std::string_view utf16_name(std::string_view bytes);

// The frame that serialisers with a schema registry write before a value:
//
//   byte 0 | schema id, 4 bytes, big-endian | the value
inline constexpr std::size_t kSchemaFrameBytes = 5;
bool has_schema_frame(std::string_view bytes);

struct ForeignForm {
  NoticeKind kind;
  std::string detail;  // what it is and what to do, one sentence
};

// Nothing: none of the known ones. Requires: `record` is not a JSON object.
std::optional<ForeignForm> foreign_form(std::string_view record);

}  // namespace neardup
