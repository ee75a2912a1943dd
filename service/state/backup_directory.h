// A directory of backups, which may be of several states. Each backup is a directory in it, named
// by the UUID of the state and the time: UUID-20261122T032101.123Z.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/state/backup_manifest.h"

namespace neardup {

std::string backup_name(const std::string& uuid, std::int64_t now_ms);

// Names of the complete backups of the state, oldest first. A directory that cannot be read holds
// none.
std::vector<std::string> whole_backups(const std::string& directory, const std::string& uuid);

// When the latest of them with a valid manifest was made, in ms since 1970; nothing without one.
std::optional<std::int64_t> latest_backup_ms(const std::string& directory, const std::string& uuid);

// Removes the remains of interrupted backups of the state. Requires: none is being made.
void remove_unfinished_backups(const std::string& directory, const std::string& uuid);

// Removes all complete backups of the state but the latest `keep`; returns how many.
std::size_t remove_old_backups(const std::string& directory, const std::string& uuid,
                               std::size_t keep);

// The latest complete backup in `path`, or `path` itself when it is a backup or has none in it.
// Throws Failure: kUnreadable when all backups in it are interrupted, kUsage when they are of
// several states.
std::string find_backup(const std::string& path);

}  // namespace neardup
