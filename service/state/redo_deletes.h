// Repeats deletes by command that came after a backup, in the restored copy, and counts the flags
// that came after it.
#pragma once

#include <optional>
#include <string>

#include "service/state/delete_log_file.h"
#include "service/state/restore.h"

namespace neardup {

// The log in `file`. Throws Failure(kUnreadable) unless it is of the state `uuid`.
DeleteLog read_log_of(const std::string& uuid, const std::string& file);

// Opens the copy at `path`, and applies the deletes of `log` that can be applied at once. Stores
// the others as due (pipeline/retention/delete_log.h), and counts both in `report`, as well as the
// flags in the flags file that the copy does not know. Throws
// Failure(kUnreadable) when the copy is not the state of `report.manifest`.
void redo_deletes(const std::string& path, const std::optional<DeleteLog>& log,
                  RestoreReport& report);

}  // namespace neardup
