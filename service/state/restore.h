// Restores a state from a backup.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "service/state/backup_manifest.h"

namespace neardup {

struct RestoreReport {
  BackupManifest manifest;
  bool was_whole = false;               // an earlier run had come to its end: nothing was done
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
// state moves what came after the backup to a file beside (flags_file.h).
//
// Throws Failure: kUsage for the place, kUnreadable for the backup or log, kConfig for a state of
// another format, kIo.
RestoreReport restore_backup(const std::string& state, const std::string& path,
                             const std::optional<std::string>& deletes,
                             const CopyProgress& progress);

}  // namespace neardup
