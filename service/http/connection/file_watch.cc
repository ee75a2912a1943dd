#include "service/http/connection/file_watch.h"

#include <sys/stat.h>

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenLooks{1};

}  // namespace

bool FileWatch::changed() {
  const Clock::time_point now = Clock::now();
  if (paths_.empty() || now < looked_ + kBetweenLooks) return false;
  looked_ = now;
  std::vector<Version> versions;
  for (const std::string& path : paths_) versions.push_back(version_of(path));
  if (versions == versions_) return false;
  versions_ = std::move(versions);
  return true;
}

// Follows links, which is how Kubernetes replaces a secret.
FileWatch::Version FileWatch::version_of(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {file.st_ino, file.st_mtim.tv_sec * kNanoseconds + file.st_mtim.tv_nsec, file.st_size};
}

}  // namespace neardup
