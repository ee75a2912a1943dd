#include "service/cluster/file_source_name.h"

#include <fmt/format.h>

#include <iterator>

#include "service/cluster/log_chunk.h"

namespace neardup {
namespace {

constexpr std::string_view kPrefix = "file:";
constexpr std::size_t kContentBytes = 17;  // "#" and 16 hex digits
constexpr std::size_t kMostNameBytes = kMostSourceNameBytes - kPrefix.size() - kContentBytes;

std::string printable(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c > ' ' && c <= '~' && c != '%') {
      text += c;
    } else {
      fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

}  // namespace

std::string file_source_name(std::string_view path, std::uint64_t content) {
  std::string name = printable(path.substr(path.rfind('/') + 1));
  if (name.size() > kMostNameBytes) name.erase(0, name.size() - kMostNameBytes);
  return fmt::format("{}{}#{:016x}", kPrefix, name, content);
}

bool is_file_source(std::string_view source) { return source.starts_with(kPrefix); }

}  // namespace neardup
