#include <fmt/core.h>

#include <chrono>
#include <string>

#include "service/commands/commands.h"
#include "service/http/client.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr int kOk = 200;

// Joins the reasons, of which a service sends one per line.
std::string in_one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "; ");
  return text;
}

bool is_well(const std::string& url) {
  const auto reply = http_get(url, kPatience);
  fmt::print("{}: {}\n", url, reply ? in_one_line(reply->body) : "no answer");
  return reply && reply->status == kOk;
}

}  // namespace

int run_health(const CommandLine& line) {
  int status = 0;
  for (const std::string& url : line.all("URL")) {
    if (!is_well(url)) status = 1;
  }
  return status;
}

}  // namespace neardup
