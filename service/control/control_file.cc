#include "service/control/control_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <simdjson.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <random>
#include <system_error>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "storage/files.h"

namespace neardup {
namespace {

constexpr std::string_view kName = "/control";
constexpr std::string_view kTemporaryName = "/control.new";
constexpr int kVersion = 1;

}  // namespace

std::string new_token() {
  std::random_device random;
  std::string token;
  for (int word = 0; word < 8; ++word) token += fmt::format("{:08x}", random());
  return token;
}

ControlFile::ControlFile(const std::string& state, const ControlAddress& address)
    : path_(state + std::string(kName)) {
  const std::string temporary = state + std::string(kTemporaryName);
  ::unlink(temporary.c_str());  // of a process that was killed
  const std::string text = JsonObject()
                               .number("neardup_control", kVersion)
                               .text("url", address.url)
                               .text("token", address.token)
                               .number("pid", ::getpid())
                               .str();
  write_new_file(temporary, text + '\n', 0600);
  rename_file(temporary, path_);
}

ControlFile::~ControlFile() { ::unlink(path_.c_str()); }

std::optional<ControlAddress> read_control(const std::string& state) {
  const auto bytes = read_small_file(state + std::string(kName));
  if (!bytes) return {};
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::int64_t version = 0;
  std::string_view url;
  std::string_view token;
  if (parser.parse(simdjson::padded_string(*bytes)).get(root) != simdjson::SUCCESS ||
      root["neardup_control"].get(version) != simdjson::SUCCESS || version != kVersion ||
      root["url"].get(url) != simdjson::SUCCESS || root["token"].get(token) != simdjson::SUCCESS) {
    return {};
  }
  return ControlAddress{std::string(url), std::string(token)};
}

}  // namespace neardup
