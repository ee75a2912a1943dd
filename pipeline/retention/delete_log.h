// The log of deletes by command. An entry is stored in the state together with the delete itself.
// A delete record is repeated when the input is read again, but a delete by command is not: a
// restored older copy of the state repeats it from this log, at the same place among the arrivals.
// It must be that place, because flags that were decided earlier may name the document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace neardup {

struct LoggedDelete {
  std::uint64_t number = 0;  // 1, 2, 3 … in a state
  Seq before = 0;            // the delete came before this arrival was decided
  Seq seq = 0;               // the version that was deleted
  std::int64_t time_ms = 0;  // of the clock, for people
  IdKey key;
  bool operator==(const LoggedDelete&) const = default;
};

// The key and value of an entry (pipeline/state_keys.h). Numbers are padded, so that keys sort by
// them.
std::string delete_meta_key(std::string_view prefix, std::uint64_t number);
// "before seq time_ms bytes-of-namespace namespace-and-id"
std::string encode_delete(const LoggedDelete& entry);
// Nothing unless key and value are those of an entry.
std::optional<LoggedDelete> decode_delete(std::string_view prefix, std::string_view key,
                                          std::string_view value);

// All entries with this prefix, by number. Throws Failure(kIo) for a damaged one.
std::vector<LoggedDelete> read_deletes(Store& store, std::string_view prefix);

}  // namespace neardup
