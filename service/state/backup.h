// Backups of a state, which may be in use, and states made of them.
//
// First the process that holds the state makes a checkpoint, which takes a moment: a second
// directory of the same files, `backup` in the directory of the state. Then these files are copied,
// each with a checksum, and the manifest is written last. So a backup shares no file with the
// state, and an interrupted backup has no manifest.
#pragma once

#include <cstdint>
#include <optional>
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

// What a restore has done (restore.cc).
struct RestoreReport {
  BackupManifest manifest;
  bool was_whole = false;               // an earlier run had completed: nothing was done
  std::uint64_t deletes_done = 0;       // logged after the backup, repeated
  std::uint64_t deletes_due = 0;        // to be done when the input has been read again up to …
  std::uint64_t due_before = 0;         // … this seq
  std::uint64_t deletes_forgotten = 0;  // no longer in the log, so not done
  std::string flags_path;               // the flags file that the state has written
  std::uint64_t flags_later = 0;        // in it, after the backup
};

// Copies the backup at `path` into `state`, a new or empty directory, or one where a restore was
// interrupted. Every checksum is verified before any file is used; `state` is a state only at
// the end. One that a killed run had made whole stays as it is. `deletes`: path of the log of
// deletes of the replaced state (delete_log_file.h).
//
// A delete that came after the backup is repeated at its place among the arrivals, because flags
// that were decided before it may name its document. A state without Kafka has no flags to deliver
// again, so a document that is in the backup is deleted at once.
//
// A flags file stays as it is: the replaced state may be in use. The first run with the restored
// state moves later flags to another file (flags_file.h).
//
// Throws Failure: kUsage for the place, kUnreadable for the backup or log, kConfig for a state of
// another format, kIo.
RestoreReport restore_backup(const std::string& state, const std::string& path,
                             const std::optional<std::string>& deletes,
                             const CopyProgress& progress);

}  // namespace neardup
