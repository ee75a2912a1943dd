#include "service/file/temporary_directory.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "pipeline/base/failure.h"

namespace neardup {

TemporaryDirectory::TemporaryDirectory() {
  const char* parent = std::getenv("TMPDIR");
  std::string pattern =
      fmt::format("{}/neardup-XXXXXX", parent != nullptr && *parent != '\0' ? parent : "/tmp");
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Failure(
        Exit::kIo,
        fmt::format("{}: cannot make a temporary directory: {}; set TMPDIR to a writable one",
                    pattern, std::generic_category().message(errno)));
  }
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace neardup
