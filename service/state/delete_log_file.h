// The file `deletes` in the directory of a state: a copy of its log of deletes by command, readable
// even when the database is not. `neardup restore --deletes` reads it (docs/formats/deletes.md):
//
//   file  := {"neardup_deletes":1,"state":UUID} line*
//   line  := {"number":N,"before_seq":S,"seq":V,"time_ms":T,"namespace":"…","id":"…"}
#pragma once

#include <string>
#include <vector>

#include "pipeline/retention/delete_log.h"

namespace neardup {

// Appends the entries of the log in `store` that the file lacks, after cutting off a line that a
// killed process left incomplete. Does nothing if nothing was ever deleted. Throws Failure(kIo).
void mirror_deletes(const std::string& state, Store& store);

// Removes the file.
void forget_deletes(const std::string& state);

struct DeleteLog {
  std::string state;  // uuid
  std::vector<LoggedDelete> entries;
};

// Throws Failure(kUnreadable) when it cannot be read. Ignores a last line without a line end: that
// delete was never acknowledged.
DeleteLog read_delete_log(const std::string& file);

}  // namespace neardup
