#include "service/file/text_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace neardup {
namespace {

constexpr std::size_t kBytesAtOnce = std::size_t{1} << 16;

}  // namespace

Failure text_too_large(const std::string& path, std::uint64_t max_bytes) {
  return Failure(
      Exit::kUnreadable,
      fmt::format("{}: larger than text.max_bytes ({}) allows; raise it or split the text", path,
                  max_bytes));
}

std::string read_text_file(const std::string& path, std::uint64_t max_bytes,
                           std::string_view hint) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) {
    throw Failure(Exit::kUnreadable, fmt::format("{}: cannot be read as a file{}", path, hint));
  }
  std::string bytes;
  for (std::array<char, kBytesAtOnce> part; in && bytes.size() <= max_bytes;) {
    const std::uint64_t wanted = max_bytes + 1 - bytes.size();
    in.read(part.data(),
            static_cast<std::streamsize>(std::min<std::uint64_t>(part.size(), wanted)));
    bytes.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (bytes.size() > max_bytes) throw text_too_large(path, max_bytes);
  return bytes;
}

}  // namespace neardup
