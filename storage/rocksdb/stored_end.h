// The end of a state as of a moment: what every later opening must find there at least. It lies in
// the file `end` next to the database.
//
//   file  := slot slot          written in turn; the one with the larger number counts
//   slot  := "neardup end 1\n" number:u64le uuid:char[36] next_seq:u64le sequence:u64le
//            manifest:part logs:u64le part[logs], zeros up to the last 8 of its 4 096 bytes, and
//            the XXH3 of all bytes before
//   part  := number:u64le bytes:u64le hash:u64le       the first `bytes` bytes of a file, and XXH3
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rocksdb/file_prefix.h"

namespace neardup {

inline constexpr std::string_view kEndName = "end";
inline constexpr std::size_t kEndSlotBytes = 4096;
inline constexpr std::size_t kMostEndLogs = 160;  // others are not checked

struct StoredEnd {
  std::uint64_t number = 0;    // counts what was written to the file
  std::string uuid;            // of the state
  std::uint64_t next_seq = 0;  // as the pipeline stores it; 0: not yet
  std::uint64_t sequence = 0;  // RocksDB's, of the last write
  FilePrefix manifest;         // the one that CURRENT names
  std::vector<FilePrefix> logs;
  bool operator==(const StoredEnd&) const = default;
};

std::string end_path(const std::string& state);

// The bytes of a slot. Requires: at most kMostEndLogs logs, and a uuid of 36 characters or none.
std::string encode_end(const StoredEnd& end);
std::optional<StoredEnd> decode_end(std::string_view slot);

// The later slot of the state's file; nothing if there is no file. Throws Failure(kIo) when neither
// slot can be read.
std::optional<StoredEnd> read_end(const std::string& state);

// Replaces the file with two slots of `end`.
void create_end(const std::string& state, const StoredEnd& end);
// Writes the slot that is due by `end.number`, and syncs it. Requires: the file is there.
void write_end(const std::string& state, const StoredEnd& end);

}  // namespace neardup
