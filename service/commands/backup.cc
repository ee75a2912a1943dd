#include "service/state/backup.h"

#include <fmt/core.h>

#include "service/clock.h"
#include "service/commands/commands.h"
#include "service/control/client.h"
#include "service/copy_line.h"
#include "service/human.h"
#include "service/setup.h"
#include "service/signals.h"

namespace neardup {
namespace {

void make_checkpoint_of(const CommandLine& line, const std::string& state) {
  if (ask_for_checkpoint(state)) return;
  const auto store = open_existing_state(line, OpenMode::kReadWrite);
  make_checkpoint(state, *store);
}

}  // namespace

int run_backup(const CommandLine& line) {
  stop_requested();  // from here on a signal asks
  const std::string state = existing_state_path(line);
  const std::string path = *line.one("PATH");
  require_place_for_backup(state, path);
  const BackupLock lock(state);
  try {
    make_checkpoint_of(line, state);
    CopyLine progress("backup");
    const BackupManifest manifest =
        copy_checkpoint(state, path, now_ms(), [&](std::uint64_t bytes) { progress.add(bytes); });
    progress.end();
    fmt::print("{}: {} documents, up to seq {}; {} in {} files\n", path, manifest.documents,
               manifest.next_seq - 1, human_bytes(static_cast<double>(manifest.bytes())),
               manifest.files.size());
    return 0;
  } catch (const CopyStopped&) {
    return stop_status();
  }
}

}  // namespace neardup
