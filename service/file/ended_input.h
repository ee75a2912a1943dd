// One input between the thread that decides, which stores the statuses of its rows (emit_parts.cc),
// and a thread that writes its parts from them (input_parts.cc).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/model/flag.h"
#include "service/file/emit_files.h"
#include "service/file/input_position.h"
#include "storage/store.h"

namespace neardup {

inline constexpr std::string_view kNewPartSuffix = ".new";  // of a part that is not whole

using PartFolders = std::array<std::string, kEmitKindNames.size()>;  // absolute; "": not wanted

// An input that was read to its end.
struct EndedInput {
  std::string path;  // absolute
  EmitInput input;
};

// The parts of an input were written, unless `stopped`.
struct WrittenParts {
  bool stopped = false;
  EndedInput input;
  std::vector<std::string> keys = {};  // of its statuses
  std::array<std::uint64_t, kEmitKindNames.size()> rows = {};
};

// The meta key of the statuses of the rows from `first` on, and the letter of a status in them.
std::string statuses_key(std::string_view path, std::uint64_t first);
inline char status_letter(Status status) {
  return static_cast<char>('0' + static_cast<char>(status));
}

std::string part_name(const std::string& path);

// Writes the parts of an input, and renames them when all are whole. Ends early once `stopped`.
// Throws Failure(kIo) when a part cannot be written or the statuses are damaged,
// Failure(kUnavailable) when the input has changed, Failure(kUnreadable) when it cannot be read.
WrittenParts write_parts(const PartFolders& folders, EndedInput input, Store& store,
                         const std::function<bool()>& stopped);

}  // namespace neardup
