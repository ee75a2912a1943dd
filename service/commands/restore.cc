#include <fmt/core.h>

#include "pipeline/base/failure.h"
#include "pipeline/base/quantities.h"
#include "pipeline/base/signals.h"
#include "service/cli/copy_line.h"
#include "service/commands/commands.h"
#include "service/state/backup.h"
#include "service/state/backup_directory.h"
#include "storage/rocksdb/state_directory.h"

namespace neardup {
namespace {

void tell(const RestoreReport& report, const std::string& state, const std::string& path,
          bool with_log) {
  const BackupManifest& backup = report.manifest;
  if (report.was_whole) {
    fmt::print("{}: the state is complete: it is already {}, nothing is restored\n", state, path);
    return;
  }
  fmt::print("{}: {} documents, up to seq {}, as of {}, from {}\n", state, backup.documents,
             backup.next_seq - 1, human_time(backup.made_ms), path);
  if (report.deletes_done != 0) {
    fmt::print("{} deletes by command are repeated\n", report.deletes_done);
  }
  if (report.deletes_due != 0) {
    fmt::print(
        "{} deletes by command will be repeated at their places, when the input has been read "
        "again up to seq {}\n",
        report.deletes_due, report.due_before - 1);
  }
  if (report.deletes_forgotten != 0) {
    fmt::print(stderr,
               "neardup: warning: {} deletes after this backup are no longer in the log (compact "
               "--purge): their documents are back\n",
               report.deletes_forgotten);
  }
  if (report.flags_later != 0) {
    fmt::print(stderr,
               "neardup: warning: {} has {} flags after this backup: the first run with this state "
               "moves them to {}.later-1, or the next free number\n",
               report.flags_path, report.flags_later, report.flags_path);
  }
  if (!with_log) {
    fmt::print(stderr,
               "neardup: note: deletes by command after this backup are not known; --deletes "
               "repeats them from the file `deletes` of the replaced state\n");
  }
}

}  // namespace

int run_restore(const CommandLine& line) {
  stop_requested();  // from here on a signal requests the end
  const auto state = line.one("--state");
  if (!state) throw Failure(Exit::kUsage, "--state DIR is needed: a new directory for the state");
  if (line.has("--if-missing") && has_database(*state)) {
    fmt::print("{}: a state exists, nothing is restored\n", *state);
    return 0;
  }
  const auto deletes = line.one("--deletes");
  const std::string backup = find_backup(*line.one("PATH"));
  try {
    CopyLine progress("restore");
    const RestoreReport report =
        restore_backup(*state, backup, deletes, [&](std::uint64_t bytes) { progress.add(bytes); });
    progress.end();
    tell(report, *state, backup, deletes.has_value());
    return 0;
  } catch (const CopyStopped&) {
    return stop_status();
  }
}

}  // namespace neardup
