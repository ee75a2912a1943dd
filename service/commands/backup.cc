#include "service/state/backup.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "config/secrets.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/quantities.h"
#include "pipeline/base/signals.h"
#include "service/cli/copy_line.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/control/client.h"
#include "service/log/clock.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{500};
constexpr std::chrono::minutes kUnansweredTime{1};  // with a service that does not answer any more

void make_checkpoint_of(const CommandLine& line, const std::string& state) {
  if (ask_for_checkpoint(state)) return;
  const auto store = open_existing_state(line, OpenMode::kReadWrite);
  make_checkpoint(state, *store);
}

void tell(const std::string& what, std::uint64_t documents, std::uint64_t next_seq,
          std::uint64_t bytes, std::size_t files) {
  fmt::print("{}: {} documents, up to seq {}; {} in {} files\n", what, documents, next_seq - 1,
             human_bytes(static_cast<double>(bytes)), files);
}

// The first token of the file, which may be the one that the service follows.
std::string token_of_file(const CommandLine& line) {
  const auto path = line.one("--token-file");
  if (!path) throw Failure(Exit::kUsage, "--service needs --token-file FILE");
  std::vector<std::string> tokens;
  if (const std::string problem = read_token_file(*path, tokens); !problem.empty())
    throw Failure(Exit::kConfig, fmt::format("--token-file {}: it {}", *path, problem));
  return tokens.front();
}

// Asks the service to begin a backup if `name` is empty, or else for the progress of that backup.
// Throws Failure(kUnavailable) without an answer: at once if `name` is empty, else after
// kUnansweredTime.
ServiceBackup look_at(const std::string& url, const std::string& token, const std::string& name) {
  const auto given_up = steady_clock::now() + kUnansweredTime;
  while (true) {
    if (const auto backup = ask_for_backup(url, token, name)) return *backup;
    if (name.empty() || steady_clock::now() >= given_up || stop_requested()) {
      throw Failure(Exit::kUnavailable, fmt::format("{} does not answer", url));
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

int backup_of_service(const CommandLine& line, const std::string& url) {
  if (line.has("--state") || line.has("PATH")) {
    throw Failure(Exit::kUsage,
                  "with --service, the service knows its state and its `backup.directory`: leave "
                  "--state and PATH out");
  }
  const std::string token = token_of_file(line);
  ServiceBackup backup = look_at(url, token, "");
  while (!backup.done) {
    if (stop_requested()) return stop_status();  // the service continues the backup
    std::this_thread::sleep_for(kBetweenLooks);
    backup = look_at(url, token, backup.name);
  }
  tell(fmt::format("{}: {}", url, backup.name), backup.documents, backup.next_seq, backup.bytes,
       backup.files);
  return 0;
}

}  // namespace

int run_backup(const CommandLine& line) {
  stop_requested();  // from here on a signal requests the end
  if (const auto url = line.one("--service")) return backup_of_service(line, *url);
  if (!line.has("PATH")) throw Failure(Exit::kUsage, "PATH is needed: the directory of the backup");
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
    tell(path, manifest.documents, manifest.next_seq, manifest.bytes(), manifest.files.size());
    return 0;
  } catch (const CopyStopped&) {
    return stop_status();
  }
}

}  // namespace neardup
