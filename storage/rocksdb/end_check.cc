#include "storage/rocksdb/end_check.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "pipeline/base/failure.h"
#include "storage/rocksdb/state_directory.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kCheckFor{10};
constexpr std::chrono::milliseconds kBetweenChecks{20};

[[noreturn]] void ends_too_early(const std::string& state, const std::string& what) {
  throw Failure(Exit::kIo,
                fmt::format("state {} is damaged: {}; so it ends before what was stored in it. "
                            "Nothing was changed: bring the file back, or restore a backup "
                            "(docs/operations.md, \"A state that ends too early\")",
                            state, what));
}

std::optional<std::string> difference_of(const FilePrefix& prefix, const std::string& path) {
  if (prefix.bytes == 0) return {};  // nothing in it was lost
  const auto difference = difference_from(prefix, path);
  if (!difference) return {};
  return path + ' ' + *difference;
}

// What is wrong, naming the file. `manifest`: the number of the one that CURRENT names; 0: none.
std::optional<std::string> difference_of(const std::string& state, std::uint64_t manifest,
                                         const StoredEnd& end) {
  if (manifest == 0) return state + "/CURRENT names no manifest";
  const std::string directory = state + '/';
  const std::string path = directory + manifest_name(manifest);
  if (manifest < end.manifest.number || !fs::exists(path)) {
    return fmt::format("{}CURRENT names {}, and {} was in use", directory, manifest_name(manifest),
                       manifest_name(end.manifest.number));
  }
  if (manifest > end.manifest.number) return {};
  if (auto found = difference_of(end.manifest, path)) return found;
  for (const FilePrefix& log : end.logs) {
    if (auto found = difference_of(log, directory + log_name(log.number))) return found;
  }
  return {};
}

}  // namespace

std::optional<StoredEnd> check_end_files(const std::string& state) {
  const auto give_up = std::chrono::steady_clock::now() + kCheckFor;
  while (std::chrono::steady_clock::now() < give_up) {
    const auto end = read_end(state);
    if (!end) return {};
    if (fs::exists(fs::path(state) / kRestoringName)) return {};  // to be refused as such
    if (!has_database(state)) ends_too_early(state, state + "/CURRENT is missing");
    const std::uint64_t manifest = current_manifest(state);
    const auto found = difference_of(state, manifest, *end);
    if (!found) return end;
    // Does it differ because a process that has the state open went on meanwhile?
    const auto now = read_end(state);
    if (now && now->number == end->number && current_manifest(state) == manifest) {
      ends_too_early(state, *found);
    }
    std::this_thread::sleep_for(kBetweenChecks);
  }
  throw Failure(Exit::kUnavailable,
                fmt::format("cannot get a consistent view of the files of state {}: retry", state));
}

void check_end_reached(const std::string& state, const StoredEnd& end, const std::string& uuid,
                       const Reach& reach) {
  if (!end.uuid.empty() && end.uuid != uuid) {
    throw Failure(Exit::kIo, fmt::format("state {} is {}, and {} is of state {}: restore a backup, "
                                         "or remove that file if all others are intact",
                                         state, uuid, end_path(state), end.uuid));
  }
  if (reach.next_seq < end.next_seq) {
    ends_too_early(state, fmt::format("its next seq is {}, and {} says {}", reach.next_seq,
                                      end_path(state), end.next_seq));
  }
  if (reach.sequence < end.sequence) {
    ends_too_early(state, fmt::format("its last write has number {}, and {} says {}",
                                      reach.sequence, end_path(state), end.sequence));
  }
}

}  // namespace neardup
