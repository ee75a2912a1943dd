// What steers reading: where a record's fields are, and how large it may be.
#pragma once

#include <cstdint>
#include <string>

namespace neardup {

enum class InputFormat : std::uint8_t { kJson };

// Fields are named by JSON pointers (RFC 6901), never empty.
struct InputOptions {
  InputFormat format = InputFormat::kJson;
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;  // larger records are rejected unread
  std::string id_field = "/id";
  std::string text_field = "/text";
  std::string namespace_field = "/namespace";
  std::string timestamp_field = "/ts";
  std::string url_field = "/url";
};

}  // namespace neardup
