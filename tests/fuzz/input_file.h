// The input of a fuzz target as a file, which is in memory.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <system_error>

namespace neardup {

class InputFile {
 public:
  explicit InputFile(std::string_view bytes) : file_(::memfd_create("input", MFD_CLOEXEC)) {
    const auto size = static_cast<ssize_t>(bytes.size());
    if (file_ < 0 || ::pwrite(file_, bytes.data(), bytes.size(), 0) != size)
      throw std::system_error(errno, std::generic_category(), "memfd");
  }
  ~InputFile() { ::close(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace neardup
