#include "service/control/service_backups.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "service/log/clock.h"
#include "service/state/backup.h"
#include "service/state/backup_directory.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

// Is `path` the directory or in it?
bool lies_in(const fs::path& path, const std::string& directory) {
  const fs::path relative = fs::canonical(path).lexically_relative(fs::canonical(directory));
  return *relative.begin() != "..";
}

}  // namespace

ServiceBackups::ServiceBackups(const BackupOptions& options, std::string state, Log& log)
    : options_(options), state_(std::move(state)), log_(log) {}

ServiceBackups::~ServiceBackups() = default;

void ServiceBackups::state_opened(const std::string& uuid) {
  const auto latest = latest_backup_ms(options_.directory, uuid);
  const MutexLock lock(mutex_);
  uuid_ = uuid;
  counts_.latest_ms = latest.value_or(0);
}

void ServiceBackups::require_directory() const {
  const std::string& directory = options_.directory;
  if (directory.empty()) {
    throw Failure(Exit::kConfig,
                  "`backup.directory` is not set: the service has no place for backups");
  }
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw Failure(
        Exit::kConfig,
        fmt::format("`backup.directory` {} is not a directory: is its volume mounted?", directory));
  }
  if (lies_in(directory, state_)) {
    throw Failure(Exit::kConfig,
                  fmt::format("`backup.directory` {} lies in the state itself; name another place",
                              directory));
  }
}

// Also until the copy has released its lock.
void ServiceBackups::await_last() {
  {
    const MutexLock lock(mutex_);
    if (last_ && last_->running()) {
      throw Failure(Exit::kUnavailable, fmt::format("backup {} is being made", last_->name));
    }
  }
  thread_ = {};
}

void ServiceBackups::for_other(const std::function<void()>& checkpoint) {
  const MutexLock beginning(beginning_);
  await_last();
  checkpoint();
}

std::string ServiceBackups::begin(const std::function<void()>& checkpoint) {
  const MutexLock beginning(beginning_);
  require_directory();
  await_last();
  std::string uuid;
  {
    const MutexLock lock(mutex_);
    uuid = uuid_;
  }
  auto held = std::make_unique<BackupLock>(state_);
  remove_unfinished_backups(options_.directory, uuid);
  checkpoint();
  std::string name = backup_name(uuid, now_ms());
  {
    const MutexLock lock(mutex_);
    last_ = Status{.name = name, .made = {}, .failure = {}};
  }
  thread_ = std::jthread([this, name, uuid, held = std::move(held)](const std::stop_token& stop) {
    copy(name, uuid, stop);
  });
  return name;
}

void ServiceBackups::copy(const std::string& name, const std::string& uuid,
                          const std::stop_token& stop) {
  Status status;
  status.name = name;
  try {
    status.made = copy_checkpoint(state_, options_.directory + '/' + name, now_ms(),
                                  [&](std::uint64_t bytes) {
                                    if (stop.stop_requested()) {
                                      throw Failure(Exit::kUnavailable, "the service ends");
                                    }
                                    const MutexLock lock(mutex_);
                                    last_->copied += bytes;
                                  });
    remove_old_backups(options_.directory, uuid, options_.keep);
  } catch (const Failure& failure) {
    status.failure = failure;
  } catch (const std::exception& error) {
    status.failure = Failure(Exit::kIo, error.what());
  }
  finished(std::move(status));
}

void ServiceBackups::finished(Status status) {
  if (status.made) {
    log_.info("backup made", {{"name", status.name},
                              {"documents", status.made->documents},
                              {"next_seq", status.made->next_seq},
                              {"bytes", status.made->bytes()}});
  } else {
    log_.error("backup failed", {{"name", status.name}, {"reason", status.failure->what()}});
  }
  const MutexLock lock(mutex_);
  status.copied = last_->copied;
  ++(status.made ? counts_.made : counts_.failed);
  if (status.made) counts_.latest_ms = status.made->made_ms;
  last_ = std::move(status);
}

ServiceBackups::Status ServiceBackups::status(const std::string& name) const {
  const MutexLock lock(mutex_);
  if (last_ && last_->name == name) return *last_;
  throw Failure(Exit::kUnavailable,
                fmt::format("this run of the service has started no backup {}, or another one "
                            "since; an interrupted backup is removed",
                            name));
}

std::optional<ServiceBackups::Counts> ServiceBackups::counts() const {
  if (options_.directory.empty()) return {};
  const MutexLock lock(mutex_);
  return counts_;
}

}  // namespace neardup
