// Backups of a state, which may be in use.
//
// First the process that holds the state makes a checkpoint, which takes a moment: a second
// directory of the same files, `backup` in the directory of the state. Then these files are copied,
// each with a checksum, and the manifest is written last. So a backup shares no file with the
// state, and an interrupted backup has no manifest.
#pragma once

#include <string>

#include "service/state/backup_manifest.h"
#include "storage/files.h"
#include "storage/store.h"

namespace neardup {

// While it lives, no other backup of the state can be made. Removes the checkpoint that a killed
// process has left.
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

// Removes the checkpoint that a killed process has left, as it would keep deleted data on disk.
// Does nothing while a backup is being made.
void remove_old_checkpoint(const std::string& state);

// Makes the checkpoint. Throws Failure (kUnavailable) if there is one. Requires: this thread owns
// the store.
void make_checkpoint(const std::string& state, Store& store);

// Throws Failure(kUsage) unless `path` is new or an empty directory outside of the state.
void require_place_for_backup(const std::string& state, const std::string& path);

// Copies the checkpoint to `path`, and returns the manifest that was written. On failure, or when
// `progress` throws, removes the copied files.
BackupManifest copy_checkpoint(const std::string& state, const std::string& path,
                               std::int64_t now_ms, const CopyProgress& progress);

}  // namespace neardup
