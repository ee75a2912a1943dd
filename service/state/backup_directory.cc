#include "service/state/backup_directory.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "pipeline/base/failure.h"
#include "pipeline/base/quantities.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTimeForm = "00000000T000000.000Z";  // 0 stands for any digit

bool is_time(std::string_view text) {
  return std::ranges::equal(text, kTimeForm, [](char c, char form) {
    return form == '0' ? c >= '0' && c <= '9' : c == form;
  });
}

// The UUID in the name of a backup; nothing for any other name.
std::optional<std::string> state_of(const std::string& name) {
  if (name.size() < kTimeForm.size() + 1) return {};
  const std::size_t dash = name.size() - kTimeForm.size() - 1;
  if (name[dash] != '-' || !is_time(std::string_view(name).substr(dash + 1))) return {};
  return name.substr(0, dash);
}

// The backups of all states, sorted by state, then oldest first.
std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename();
    if (entry.is_directory(ignored) && state_of(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

bool is_whole(const std::string& directory, const std::string& name) {
  std::error_code ignored;
  return fs::exists(fs::path(directory) / name / kManifestName, ignored);
}

// Removes the manifest first: if this is interrupted, the rest does not count as a backup.
void remove_backup(const fs::path& path) {
  std::error_code error;
  fs::remove(path / kManifestName, error);
  fs::remove_all(path, error);
}

}  // namespace

std::string backup_name(const std::string& uuid, std::int64_t now_ms) {
  std::string time = human_time(now_ms);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return uuid + '-' + time;
}

std::vector<std::string> whole_backups(const std::string& directory, const std::string& uuid) {
  std::vector<std::string> names = names_in(directory);
  std::erase_if(names, [&](const std::string& name) {
    return state_of(name) != uuid || !is_whole(directory, name);
  });
  return names;
}

std::optional<std::int64_t> latest_backup_ms(const std::string& directory,
                                             const std::string& uuid) {
  std::vector<std::string> names = whole_backups(directory, uuid);
  for (; !names.empty(); names.pop_back()) {
    try {
      return read_manifest(directory + '/' + names.back()).made_ms;
    } catch (const Failure&) {
      // A damaged one does not count.
    }
  }
  return {};
}

void remove_unfinished_backups(const std::string& directory, const std::string& uuid) {
  for (const std::string& name : names_in(directory)) {
    if (state_of(name) == uuid && !is_whole(directory, name)) {
      remove_backup(fs::path(directory) / name);
    }
  }
}

std::size_t remove_old_backups(const std::string& directory, const std::string& uuid,
                               std::size_t keep) {
  const std::vector<std::string> names = whole_backups(directory, uuid);
  const std::size_t old = names.size() - std::min(names.size(), keep);
  for (std::size_t i = 0; i < old; ++i) remove_backup(fs::path(directory) / names[i]);
  return old;
}

std::string find_backup(const std::string& path) {
  std::vector<std::string> names = names_in(path);
  if (names.empty() || is_whole(path, "")) return path;
  std::erase_if(names, [&](const std::string& name) { return !is_whole(path, name); });
  if (names.empty()) {
    throw Failure(Exit::kUnreadable,
                  fmt::format("{} holds no complete backup, only interrupted ones", path));
  }
  std::set<std::string> states;
  for (const std::string& name : names) states.insert(*state_of(name));
  if (states.size() > 1) {
    throw Failure(Exit::kUsage, fmt::format("{} holds backups of {} states: name one, such as {}",
                                            path, states.size(), path + '/' + names.back()));
  }
  return path + '/' + names.back();
}

}  // namespace neardup
