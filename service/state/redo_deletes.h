// Deletes by command that came after a backup, done again in its copy.
#pragma once

#include <optional>
#include <string>

#include "service/state/delete_log_file.h"
#include "service/state/restore.h"

namespace neardup {

// The log in `file`. Throws Failure(kUnreadable) unless it is of the state `uuid`.
DeleteLog read_log_of(const std::string& uuid, const std::string& file);

// Opens the copy at `path`, makes sure that it is the state that the manifest tells of, does what
// is to be done at once, notes the rest as due (pipeline/retention/delete_log.h), and tells in
// `report` what it was.
void redo_deletes(const std::string& path, const std::optional<DeleteLog>& log,
                  RestoreReport& report);

}  // namespace neardup
