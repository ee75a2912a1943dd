// A backup becomes a state again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "service/state/backup_manifest.h"

namespace neardup {

struct RestoreReport {
  BackupManifest manifest;
  std::uint64_t deletes_done = 0;       // logged after the backup, done again
  std::uint64_t deletes_due = 0;        // to be done when the input has been read again up to …
  std::uint64_t due_before = 0;         // … this seq
  std::uint64_t deletes_forgotten = 0;  // no longer in the log, so not done
};

// Copies the backup at `path` into `state`, a new or empty directory, or one where a restore was
// interrupted. Every checksum is looked at before anything is used; `state` is a state only when
// all is done. `deletes`: the log of deletes of the state that is replaced (delete_log_file.h).
//
// A delete that came after the backup is done again at its place among the arrivals: those that
// were decided before it may name its document. In a state without Kafka, nothing that was
// delivered has to come again, so a document that the backup holds goes at once.
//
// Throws Failure: kUsage for the place, kUnreadable for the backup or log, kConfig for a state of
// another format, kIo.
RestoreReport restore_backup(const std::string& state, const std::string& path,
                             const std::optional<std::string>& deletes,
                             const CopyProgress& progress);

}  // namespace neardup
