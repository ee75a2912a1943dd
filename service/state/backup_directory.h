// Backups of one state and another side by side in a directory, each in a directory of its own that
// is named by the state and the time: UUID-20261122T032101.123Z.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/state/backup_manifest.h"

namespace neardup {

std::string backup_name(const std::string& uuid, std::int64_t now_ms);

// Names of the whole backups of the state, oldest first. A directory that cannot be read holds
// none.
std::vector<std::string> whole_backups(const std::string& directory, const std::string& uuid);

// When the latest of them was made, in ms since 1970; nothing where there is none.
std::optional<std::int64_t> latest_backup_ms(const std::string& directory, const std::string& uuid);

// Removes what interrupted backups of the state have left. Requires: none is being made.
void remove_unfinished_backups(const std::string& directory, const std::string& uuid);

// Removes all whole backups of the state but the latest `keep`; gives how many went.
std::size_t remove_old_backups(const std::string& directory, const std::string& uuid,
                               std::size_t keep);

// `path` itself when it is a backup, else the latest whole backup in it. Throws Failure:
// kUnreadable when there is none, kUsage when the backups there are of several states.
std::string find_backup(const std::string& path);

}  // namespace neardup
