#include "service/records/foreign_form.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fmt/format.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

bool is_ascii(char c) { return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n'; }

std::uint32_t schema_id(std::string_view frame) {
  std::uint32_t id = 0;
  for (const char c : frame.substr(1, 4)) id = id << 8 | static_cast<unsigned char>(c);
  return id;
}

}  // namespace

std::string_view utf16_name(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv)) return "UTF-16";
  if (bytes.size() < 4) return "";
  if (is_ascii(bytes[0]) && bytes[1] == 0 && is_ascii(bytes[2]) && bytes[3] == 0) return "UTF-16LE";
  if (bytes[0] == 0 && is_ascii(bytes[1]) && bytes[2] == 0 && is_ascii(bytes[3])) return "UTF-16BE";
  return "";
}

bool has_schema_frame(std::string_view bytes) {
  return bytes.size() > kSchemaFrameBytes && bytes[0] == 0;
}

std::optional<ForeignForm> foreign_form(std::string_view record) {
  if (!utf16_name(record).empty()) {
    return ForeignForm{
        NoticeKind::kUtf16,
        "the record is UTF-16: convert the input to UTF-8 with `iconv -f UTF-16 -t UTF-8`"};
  }
  if (has_schema_frame(record)) {
    return ForeignForm{
        NoticeKind::kSchemaFrame,
        fmt::format("the record begins with the frame of a schema registry (schema {}): set "
                    "input.frame to confluent if JSON follows it; Avro and Protobuf have to become "
                    "JSON first",
                    schema_id(record))};
  }
  if (record.substr(std::min(record.find_first_not_of(" \t\r\n"), record.size()))
          .starts_with('[')) {
    return ForeignForm{NoticeKind::kJsonArray,
                       "the record is a JSON array and not an object: an array of records becomes "
                       "one record a line with `jq -c '.[]'`"};
  }
  return std::nullopt;
}

}  // namespace neardup
