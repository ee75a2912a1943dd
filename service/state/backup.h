// Copies of a state, made while it is used or not.
//
// First a checkpoint: a second directory of the same files, `backup` inside the state's own, made
// by whoever holds the state, in no time. Then its files are copied, at leisure and by the command,
// each with a checksum, and at last the manifest. So the copy shares nothing with the state, and
// what was interrupted has no manifest.
#pragma once

#include <string>

#include "service/state/backup_manifest.h"
#include "service/state/files.h"
#include "storage/store.h"

namespace neardup {

// One backup of a state at a time, from construction to destruction. Removes what a dead process
// has left in the state.
class BackupLock {
 public:
  // Throws Failure(kUnavailable) when another process holds it.
  explicit BackupLock(const std::string& state);
  ~BackupLock();  // removes the checkpoint
  BackupLock(const BackupLock&) = delete;
  BackupLock& operator=(const BackupLock&) = delete;

 private:
  const std::string state_;
  const DirectoryLock lock_;
};

// Removes a checkpoint that a dead process has left; it would hold what was deleted since. One in
// use is left alone.
void remove_old_checkpoint(const std::string& state);

// Makes the checkpoint. Requires: there is none, and this thread owns the store.
void make_checkpoint(const std::string& state, Store& store);

// Throws Failure(kUsage) unless `path` is new or an empty directory outside of the state.
void require_place_for_backup(const std::string& state, const std::string& path);

// Copies the checkpoint to `path`; gives the manifest that was written. When it fails or `progress`
// throws, what was copied is removed again.
BackupManifest copy_checkpoint(const std::string& state, const std::string& path,
                               std::int64_t now_ms, const CopyProgress& progress);

}  // namespace neardup
