// How far an input was read, as stored with the state (docs/formats/records.md).
//
//   key    input/<absolute path>
//   value  1 <head bytes> <head hash> <bytes> <lines> <stored bytes>
//          2 … <id> <text>
//
// The first number is the version of this format. The head shows whether a file is still the same.
// `stored bytes` is the size of the file as stored when its end was reached, and "-" before that.
// Version 2 adds where the fields of the records were found to be (service/records/found_fields.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/ports.h"
#include "service/file/record_reader.h"

namespace neardup {

inline constexpr std::string_view kInputPrefix = "input/";

struct InputPosition {
  std::uint64_t head_bytes = 0;  // min(kHeadBytes, size at first sight)
  std::string head_hash;         // of the first head_bytes bytes
  LinePosition at = {};
  std::optional<std::uint64_t> finished_at =
      {};  // bytes of the file as stored when it was read to its end
  std::optional<FoundFields> fields = {};  // where they were found, if not where they usually are

  bool half_read() const { return !finished_at.has_value(); }
};

std::string format_position(const InputPosition& position);
// Throws Failure(kConfig) that names `key` when `value` is malformed.
InputPosition parse_position(std::string_view key, std::string_view value);

// An input whose rows go to parts (emit_parts.cc), from the first of its rows until its parts are
// whole:
//
//   key    emit_input/<absolute path>
//   value  1 <mark> <rows>
//
// `rows` is "-" until the end of the input was reached.
inline constexpr std::string_view kEmitInputPrefix = "emit_input/";

struct EmitInput {
  std::string mark;  // parquet_mark
  std::optional<std::uint64_t> rows = {};
};

std::pair<std::string, std::string> stored_emit_input(std::string_view path,
                                                      const EmitInput& input);
// Throws as parse_position.
EmitInput parse_emit_input(std::string_view key, std::string_view value);

// XXH3, 128 bits, as 32 hex digits.
std::string hash_hex(std::string_view bytes);

// How to read an input file, by its current first bytes and size.
enum class InputPlan : std::uint8_t {
  kFresh,     // not read before, or nothing of it
  kChanged,   // was read to its end and is another file now: read as new
  kContinue,  // half read
  kGrown,     // was read to its end and has grown: read on
  kDone,      // was read to its end: skipped
  kConflict,  // half read, and is another file now: an error
};
InputPlan plan_input(const InputPosition* known, std::string_view head, std::uint64_t size);

}  // namespace neardup
