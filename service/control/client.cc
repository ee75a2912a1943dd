#include "service/control/client.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>

#include "pipeline/core/failure.h"
#include "service/control/control_file.h"
#include "service/http/client.h"
#include "service/json_object.h"
#include "storage/state_directory.h"

namespace neardup {
namespace {

constexpr std::chrono::minutes kPatience{30};  // what has begun is waited for
constexpr std::size_t kIdsAtOnce = 500;        // a body stays below the 4 MiB that are taken
constexpr int kUnauthorized = 401;
constexpr int kNotFound = 404;
constexpr int kOk = 200;

[[noreturn]] void fail(const std::string& state, const HttpReply& reply) {
  std::int64_t status = static_cast<int>(Exit::kInternal);
  std::string_view error;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const bool understood =
      parser.parse(simdjson::padded_string(reply.body)).get(root) == simdjson::SUCCESS &&
      root["error"].get(error) == simdjson::SUCCESS &&
      root["status"].get(status) == simdjson::SUCCESS;
  if (!understood) {
    throw Failure(Exit::kInternal, fmt::format("the service of state {} answers with HTTP {}: {}",
                                               state, reply.status, reply.body));
  }
  const auto exit = static_cast<Exit>(status);
  if (exit != Exit::kUnavailable) throw Failure(exit, std::string(error));
  throw Failure(exit, in_use_message(state) + ", a service that says: " + std::string(error));
}

std::optional<std::string> ask(const std::string& state, const std::string& path,
                               const std::string& body) {
  if (!state_in_use(state)) return {};
  const auto address = read_control(state);
  if (!address) return {};
  const auto reply = http_post(address->url, path, address->token, body, kPatience);
  // Nobody, or somebody who does not know the token: not the one that wrote the file.
  if (!reply || reply->status == kUnauthorized || reply->status == kNotFound) return {};
  if (reply->status != kOk) fail(state, *reply);
  return reply->body;
}

std::optional<std::string> ask_question(const std::string& state, const std::string& path,
                                        const std::string& body) {
  try {
    return ask(state, path, body);
  } catch (const Failure& failure) {
    if (failure.exit() != Exit::kUnavailable) throw;
    return {};
  }
}

}  // namespace

std::optional<std::string> ask_for_stats(const std::string& state, bool json) {
  return ask_question(state, "/v1/control/stats",
                      JsonObject().text("form", json ? "json" : "text").str());
}

std::optional<std::string> ask_about_ids(const std::string& state, const std::string& name_space,
                                         const std::string& a, const std::string& b) {
  return ask_question(state, "/v1/control/explain",
                      JsonObject().text("namespace", name_space).text("a", a).text("b", b).str());
}

std::optional<DeleteReport> ask_to_delete(const std::string& state, const std::string& name_space,
                                          const std::vector<std::string>& ids) {
  DeleteReport all;
  for (std::size_t i = 0; i < ids.size(); i += kIdsAtOnce) {
    const auto some = std::span(ids).subspan(i, std::min(kIdsAtOnce, ids.size() - i));
    const std::string body =
        JsonObject().text("namespace", name_space).json("ids", json_texts(some)).str();
    const auto answer = ask(state, "/v1/control/delete", body);
    if (!answer && i == 0) return {};
    if (!answer) throw Failure(Exit::kUnavailable, "the service has ended before all was deleted");
    DeleteReport report = parse_delete_report(*answer);
    all.deleted += report.deleted;
    all.documents += report.documents;
    all.text_bytes += report.text_bytes;
    std::ranges::move(report.unknown, std::back_inserter(all.unknown));
  }
  return all;
}

bool ask_for_checkpoint(const std::string& state) {
  return ask(state, "/v1/control/checkpoint", "{}").has_value();
}

}  // namespace neardup
