// The file `deletes` in the directory of a state: its log of deletes by command once more, readable
// when the database no longer is. `neardup restore --deletes` reads it (docs/formats/deletes.md):
//
//   file  := {"neardup_deletes":1,"state":UUID} line*
//   line  := {"number":N,"before_seq":S,"seq":V,"time_ms":T,"namespace":"…","id":"…"}
#pragma once

#include <string>
#include <vector>

#include "pipeline/retention/delete_log.h"

namespace neardup {

// Appends what the log in `store` has and the file has not; mends the file of a process that was
// killed while it wrote. Nothing happens where nothing was ever deleted. Throws Failure(kIo).
void mirror_deletes(const std::string& state, Store& store);

// Removes the file.
void forget_deletes(const std::string& state);

struct DeleteLog {
  std::string state;  // uuid
  std::vector<LoggedDelete> entries;
};

// Throws Failure(kUnreadable) when it cannot be read. A last line without its end is left out: it
// was never acknowledged.
DeleteLog read_delete_log(const std::string& file);

}  // namespace neardup
