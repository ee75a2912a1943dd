#include "storage/rocksdb/state_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifestBeginning = "MANIFEST-";

// Names of files that a state has before it has CURRENT, which completes its creation.
bool is_early_state_file(const std::string& name) {
  constexpr std::array<std::string_view, 7> kBeginnings = {
      "LOCK", "LOG", "IDENTITY", "MANIFEST-", "OPTIONS-", "control", "http_token"};
  const auto begins = [&name](std::string_view beginning) { return name.starts_with(beginning); };
  return std::any_of(kBeginnings.begin(), kBeginnings.end(), begins) || name.ends_with(".dbtmp");
}

void refuse_foreign_files(const std::string& path) {
  if (fs::exists(fs::path(path) / kRestoringName)) {
    throw Failure(
        Exit::kConfig,
        fmt::format("{} holds an interrupted restore: rerun `neardup restore` until it completes",
                    path));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (is_early_state_file(name)) continue;
    throw Failure(
        Exit::kConfig,
        fmt::format("{} is not a state: it holds {} and no database; name a directory that "
                    "is empty or does not exist",
                    path, name));
  }
}

// The process that holds a write lock on the state, 0 if its id is not visible here; nothing
// without a lock.
std::optional<pid_t> lock_holder(const std::string& path) {
  const std::string file = fs::path(path) / "LOCK";
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool held = ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(descriptor);
  if (!held) return {};
  return lock.l_pid;
}

// The whole of `digits` as a number; 0 for anything else.
std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, number);
  return error == std::errc{} && at == end ? number : 0;
}

// What CURRENT holds: the name of the manifest.
std::string current_name(const std::string& path) {
  std::string manifest;
  std::ifstream(fs::path(path) / "CURRENT") >> manifest;
  return manifest;
}

}  // namespace

bool has_database(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::path(path) / "CURRENT", ignored);
}

void prepare_directory(const std::string& path) {
  try {
    if (fs::exists(path) && !fs::is_directory(path)) {
      throw Failure(Exit::kIo, fmt::format("state {} is not a directory: name another path", path));
    }
    fs::create_directories(path);
    if (!has_database(path)) refuse_foreign_files(path);
  } catch (const fs::filesystem_error& error) {
    throw Failure(Exit::kIo, fmt::format("state {} cannot be used: {}; check the path and its "
                                         "permissions",
                                         path, error.code().message()));
  }
  if (::access(path.c_str(), W_OK | X_OK) != 0) {
    throw Failure(Exit::kIo,
                  fmt::format("state {} cannot be written: check its permissions", path));
  }
}

bool state_in_use(const std::string& path) { return lock_holder(path).has_value(); }

std::string in_use_message(const std::string& path) {
  const pid_t holder = lock_holder(path).value_or(0);
  const std::string who = holder > 0 ? fmt::format("process {}", holder) : "another process";
  return fmt::format("state {} is in use by {}: wait for its end, or use another state", path, who);
}

std::string log_name(std::uint64_t number) { return fmt::format("{:06}.log", number); }

std::string manifest_name(std::uint64_t number) {
  return std::string(kManifestBeginning) + fmt::format("{:06}", number);
}

std::uint64_t log_number(const std::string& path) {
  const fs::path file(path);
  return file.extension() == ".log" ? number_of(file.stem().string()) : 0;
}

std::uint64_t manifest_number(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.starts_with(kManifestBeginning) ? number_of(name.substr(kManifestBeginning.size()))
                                              : 0;
}

std::uint64_t current_manifest(const std::string& path) {
  return manifest_number(current_name(path));
}

std::string file_list_version(const std::string& path) {
  const std::string manifest = current_name(path);
  std::error_code ignored;
  return fmt::format("{} {}", manifest, fs::file_size(fs::path(path) / manifest, ignored));
}

std::uint64_t directory_bytes(const std::string& path) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (auto entry = fs::directory_iterator(path, error); entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::uintmax_t size = entry->file_size(error);
    if (!error) bytes += size;  // a file may go away while we look
  }
  return bytes;
}

}  // namespace neardup
