#include "service/file/stored_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/input_position.h"
#include "storage/files.h"

namespace neardup {

StoredOutput parse_output(std::string_view value) {
  constexpr std::size_t kHashDigits = 32;
  StoredOutput stored;
  std::string_view rest = value.starts_with("1 ") ? value.substr(2) : std::string_view{};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), stored.length);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (error != std::errc{} || rest.size() < kHashDigits + 3 || rest[0] != ' ' ||
      rest[kHashDigits + 1] != ' ') {
    throw Failure(Exit::kConfig,
                  fmt::format("the state holds \"{}\" for its flags file, which this version "
                              "cannot read: use the version that wrote it, or a new --state",
                              value));
  }
  stored.hash = rest.substr(1, kHashDigits);
  stored.path = rest.substr(kHashDigits + 2);
  return stored;
}

std::string output_value(std::uint64_t length, std::string_view tail, std::string_view path) {
  return fmt::format("1 {} {} {}", length, hash_hex(tail), path);
}

std::optional<std::string> matching_tail(const StoredOutput& stored) {
  std::string tail(std::min<std::uint64_t>(kOutputTailBytes, stored.length), '\0');
  const Descriptor file(::open(stored.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return {};
  const ssize_t got = ::pread(file.get(), tail.data(), tail.size(),
                              static_cast<off_t>(stored.length - tail.size()));
  if (got != static_cast<ssize_t>(tail.size()) || hash_hex(tail) != stored.hash) return {};
  return tail;
}

}  // namespace neardup
