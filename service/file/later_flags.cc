#include "service/file/later_flags.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "fmt/format.h"
#include "storage/files.h"

namespace neardup {
namespace {

std::string free_name(const std::string& path) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("{}.later-{}", path, number);
    if (!std::filesystem::exists(name)) return name;
  }
}

}  // namespace

std::uint64_t count_later_flags(const std::string& path, std::uint64_t length,
                                std::uint64_t enough) {
  std::uint64_t lines = 0;
  bool in_line = false;
  read_pieces(path, length, [&](std::string_view bytes) {
    lines += static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
    in_line = bytes.back() != '\n';
    return lines <= enough;
  });
  return lines + (in_line ? 1 : 0);
}

std::string keep_later_flags(const std::string& path, std::uint64_t length) {
  std::string name = free_name(path);
  const std::string unfinished = name + ".new";
  ::unlink(unfinished.c_str());  // of a process that was killed
  {
    const Descriptor out(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!out.open()) fail_file("creating", unfinished);
    read_pieces(path, length, [&](std::string_view bytes) {
      write_all(out, bytes, unfinished);
      return true;
    });
    sync(out, unfinished);
  }
  rename_file(unfinished, name);
  return name;
}

}  // namespace neardup
