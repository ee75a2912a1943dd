#include "service/file/later_flags.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string_view>

#include "fmt/format.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

// Calls take(bytes) for all bytes from `from` on, until it returns false.
void read_from(const std::string& path, std::uint64_t from,
               const std::function<bool(std::string_view)>& take) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) fail_file("opening", path);
  std::string piece(kPiece, '\0');
  while (true) {
    const ssize_t got = ::pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file("reading", path);
    if (got == 0) return;
    from += static_cast<std::uint64_t>(got);
    if (!take({piece.data(), static_cast<std::size_t>(got)})) return;
  }
}

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
  read_from(path, length, [&](std::string_view bytes) {
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
    read_from(path, length, [&](std::string_view bytes) {
      write_all(out, bytes, unfinished);
      return true;
    });
    sync(out, unfinished);
  }
  rename_file(unfinished, name);
  return name;
}

}  // namespace neardup
