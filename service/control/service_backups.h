// Backups that a running service makes of its own state into `backup.directory`, one at a time. The
// request waits for the checkpoint only; a thread copies it. A copy that the end of the service
// interrupts is removed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "config/service_options.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/mutex.h"
#include "service/log/log.h"
#include "service/state/backup_manifest.h"

namespace neardup {

// Every call may come from any thread.
class ServiceBackups {
 public:
  struct Status {
    std::string name;                    // of the directory in `backup.directory`
    std::uint64_t copied = 0;            // bytes so far
    std::optional<BackupManifest> made;  // the backup is complete
    std::optional<Failure> failure;      // the backup has failed
    bool running() const { return !made && !failure; }
  };

  // Since the start of the process; `latest_ms` also covers earlier runs.
  struct Counts {
    std::int64_t latest_ms = 0;  // when the latest complete backup was made; 0: there is none
    std::uint64_t made = 0;
    std::uint64_t failed = 0;
  };

  // References must outlive this. `state`: the directory.
  ServiceBackups(const BackupOptions& options, std::string state, Log& log);
  ~ServiceBackups();
  ServiceBackups(const ServiceBackups&) = delete;
  ServiceBackups& operator=(const ServiceBackups&) = delete;

  // To be called when the state with this UUID is open: finds its latest backup.
  void state_opened(const std::string& uuid);

  // Begins a backup and returns its name. `checkpoint` makes the checkpoint of backup.h. Throws
  // Failure: kConfig without a usable `backup.directory`, kUnavailable while another backup is
  // being made, and what `checkpoint` throws.
  std::string begin(const std::function<void()>& checkpoint);

  // Makes a checkpoint for another process, which holds the BackupLock. It never meets one of
  // `begin`, or the end of its copy. Throws Failure(kUnavailable) while a backup of this service is
  // being made, and what `checkpoint` throws.
  void for_other(const std::function<void()>& checkpoint);

  // Throws Failure(kUnavailable) unless `name` is the backup that was begun last.
  Status status(const std::string& name) const;

  // Nothing without a `backup.directory`.
  std::optional<Counts> counts() const;

 private:
  void require_directory() const;
  void await_last() REQUIRES(beginning_);
  void copy(const std::string& name, const std::string& uuid, const std::stop_token& stop);
  void finished(Status status);

  const BackupOptions& options_;
  const std::string state_;
  Log& log_;
  mutable Mutex mutex_;
  std::string uuid_ GUARDED_BY(mutex_);
  std::optional<Status> last_ GUARDED_BY(mutex_);
  Counts counts_ GUARDED_BY(mutex_);
  Mutex beginning_;  // held while a checkpoint is made
  std::jthread thread_ GUARDED_BY(beginning_);
};

}  // namespace neardup
