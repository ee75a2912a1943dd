#include "config/secrets.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include "config/read_start.h"

namespace neardup {
namespace {

constexpr std::size_t kMostSecretBytes = std::size_t{64} << 10;
constexpr std::size_t kShortestToken = 16;

void cut_newline(std::string& text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
}

// Why `content`, without its newline, cannot be used; "" when it can.
std::string_view flaw(const std::string& content) {
  if (content.empty()) return "is empty";
  if (content.find('\0') != std::string::npos) return "holds a zero byte";
  return {};
}

// Reads the file into `content`, without its newline. Returns the problem, or "".
std::string read_secret(const std::string& path, std::string& content) {
  auto bytes = read_start(path, kMostSecretBytes + 1);
  if (!bytes) return fmt::format("cannot be read: {}", std::strerror(errno));
  if (bytes->size() > kMostSecretBytes) return "is larger than 64 KiB";
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

std::string read_token_file(const std::string& path, std::vector<std::string>& tokens) {
  std::string content;
  if (std::string problem = read_secret(path, content); !problem.empty()) return problem;
  std::istringstream lines(content);
  for (std::string token; std::getline(lines, token);) {
    cut_newline(token);
    const auto visible = [](char c) { return c > ' ' && c < '\x7f'; };
    if (!std::ranges::all_of(token, visible))
      return "holds other characters than letters, digits and signs of ASCII";
    if (token.size() < kShortestToken) {
      return "holds a token of fewer than 16 characters; `openssl rand -hex 16` makes one";
    }
    tokens.push_back(std::move(token));
  }
  return {};
}

void read_tokens(HttpOptions& http, Findings& findings) {
  const auto read = [&](const char* key, const std::string& path,
                        std::vector<std::string>& tokens) {
    if (path.empty()) return;
    const std::string problem = read_token_file(path, tokens);
    if (!problem.empty()) findings.report({key}, fmt::format("the file of `{}` {}", key, problem));
  };
  read("http.token_file", http.token_file, http.tokens);
  read("http.read_token_file", http.read_token_file, http.read_tokens);
}

}  // namespace neardup
