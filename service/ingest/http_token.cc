#include "service/ingest/http_token.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "pipeline/base/failure.h"
#include "service/control/control_file.h"
#include "service/control/port_guard.h"
#include "service/ingest/documents_port.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::size_t kShortestToken = 16;

void make_token(const std::string& path) {
  const std::string temporary = path + ".new";
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);  // of a process that was killed
  write_new_file(temporary, new_token() + "\n", 0600);
  rename_file(temporary, path);
}

std::string stored_token(const std::string& path) {
  std::ifstream file(path);
  std::string token;
  std::getline(file, token);
  if (token.size() < kShortestToken) {
    throw Failure(Exit::kIo,
                  fmt::format("{} holds no token: remove it, and a new one is created", path));
  }
  return token;
}

}  // namespace

std::string token_path(const std::string& state) { return state + "/" + kHttpTokenFile; }

std::string state_token(const HttpOptions& options, const std::string& state) {
  if (!on_loopback(options.listen)) {
    throw Failure(
        Exit::kConfig,
        fmt::format("`http.token_file` is missing: {} can be reached from other machines, so "
                    "documents need a token; only on 127.0.0.1 the service creates one",
                    options.listen));
  }
  const std::string path = token_path(state);
  std::error_code ignored;
  std::filesystem::create_directories(state, ignored);  // opening the state says why it cannot be
  if (!std::filesystem::exists(path, ignored)) make_token(path);
  return stored_token(path);
}

std::string curl_line(const HttpOptions& options, const std::string& state,
                      const std::string& url) {
  const std::string file = options.token_file.empty() ? token_path(state) : options.token_file;
  return fmt::format("curl -T docs.jsonl -H \"Authorization: Bearer $(cat {})\" {}{}", file, url,
                     kDocumentsPath);
}

}  // namespace neardup
