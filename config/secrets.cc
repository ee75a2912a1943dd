#include "config/secrets.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "config/read_start.h"

namespace neardup {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;

void cut_newline(std::string& text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
}

// Why `content`, its newline cut, cannot be used; "" when it can.
std::string_view flaw(const std::string& content) {
  if (content.empty()) return "is empty";
  if (content.find('\0') != std::string::npos) return "holds a zero byte";
  return {};
}

// Puts the file's content into `content` or returns why that is impossible.
std::string read_secret(const std::string& path, std::string& content) {
  auto bytes = read_start(path, kMostBytes + 1);
  if (!bytes) return fmt::format("cannot be read: {}", std::strerror(errno));
  if (bytes->size() > kMostBytes) return "is larger than 64 KiB";
  content = std::move(*bytes);
  cut_newline(content);
  return std::string(flaw(content));
}

}  // namespace

void read_secrets(KafkaOptions& kafka, Findings& findings) {
  for (const auto& [name, path] : kafka.secrets) {
    const std::string key = "kafka.secrets." + name;
    std::string content;
    const std::string problem = read_secret(path, content);
    if (problem.empty()) {
      kafka.secret_values[name] = std::move(content);
    } else {
      findings.report({key}, fmt::format("the file of `{}` {}", key, problem));
    }
  }
}

}  // namespace neardup
