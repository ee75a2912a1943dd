#include "storage/rocksdb/end_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pipeline/base/failure.h"
#include "storage/files.h"
#include "storage/rocksdb/state_directory.h"

namespace neardup {
namespace {

std::set<std::uint64_t> logs_in(const std::string& state) {
  std::set<std::uint64_t> logs;
  try {
    for (const auto& entry : std::filesystem::directory_iterator(state)) {
      if (const std::uint64_t log = log_number(entry.path()); log != 0) logs.insert(log);
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Failure(Exit::kIo, "state " + state + ": " + error.code().message());
  }
  return logs;
}

}  // namespace

EndFiles::EndFiles(std::string state, std::shared_ptr<const WatchedFiles> watched)
    : state_(std::move(state)), watched_(std::move(watched)) {}

void EndFiles::follow(StoredEnd& end) {
  const bool other_manifest = follow_manifest();
  const bool more_logs = follow_logs();
  // A file that a power failure takes with its name must not be named.
  if (other_manifest || more_logs) sync_directory(state_);
  end.manifest = manifest_->prefix();
  end.logs.clear();
  for (const auto& [number, log] : logs_) {
    if (const FilePrefix prefix = log.prefix(); prefix.bytes > 0) end.logs.push_back(prefix);
  }
  if (end.logs.size() > kMostEndLogs)
    end.logs.erase(end.logs.begin(), end.logs.end() - kMostEndLogs);
}

bool EndFiles::follow(GrowingFile& file) const {
  return file.follow(watched_ == nullptr ? std::nullopt : watched_->synced(file.path()));
}

// Whether it is another one than before.
bool EndFiles::follow_manifest() {
  bool is_new = false;
  while (true) {
    const std::uint64_t number = current_manifest(state_);
    const std::string path = state_ + '/' + manifest_name(number);
    if (manifest_ == nullptr || manifest_->prefix().number != number) {
      manifest_ = std::make_unique<GrowingFile>(path, number);
      is_new = true;
    }
    if (follow(*manifest_)) return is_new;
    if (current_manifest(state_) == number) throw Failure(Exit::kIo, path + " is missing");
  }
}

// Whether there is one that was not there before.
bool EndFiles::follow_logs() {
  const std::set<std::uint64_t> there = logs_in(state_);
  std::erase_if(logs_, [&](const auto& log) { return !there.contains(log.first); });
  std::erase_if(forgotten_, [&](std::uint64_t log) { return !there.contains(log); });
  bool is_new = false;
  for (const std::uint64_t number : there) {
    if (forgotten_.contains(number)) continue;
    const auto [log, added] = logs_.try_emplace(number, state_ + '/' + log_name(number), number);
    is_new |= added;
    follow(log->second);
  }
  return is_new;
}

void EndFiles::forget(std::uint64_t log) {
  logs_.erase(log);
  forgotten_.insert(log);
}

}  // namespace neardup
