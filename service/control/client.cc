#include "service/control/client.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/control/control_file.h"
#include "service/http/client.h"
#include "storage/rocksdb/state_directory.h"

namespace neardup {
namespace {

constexpr std::chrono::minutes kPatience{30};            // a request that has begun may take long
constexpr std::size_t kMostBody = std::size_t{4} << 20;  // that a service takes
constexpr std::size_t kIdsAtOnce = 500;                  // keeps a body below that
constexpr int kUnauthorized = 401;
constexpr int kNotFound = 404;
constexpr int kOk = 200;

// The Failure that an error answer describes. `whose`: "state DIR" or a URL, for the message.
Failure failure_of(const std::string& whose, const HttpReply& reply) {
  std::int64_t status = static_cast<int>(Exit::kInternal);
  std::string_view error;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const bool understood =
      parser.parse(simdjson::padded_string(reply.body)).get(root) == simdjson::SUCCESS &&
      root["detail"].get(error) == simdjson::SUCCESS &&
      root["exit"].get(status) == simdjson::SUCCESS;
  if (!understood) {
    return {Exit::kInternal, fmt::format("the service of {} answers with HTTP {}: {}", whose,
                                         reply.status, reply.body)};
  }
  return {static_cast<Exit>(status), std::string(error)};
}

[[noreturn]] void fail(const std::string& state, const HttpReply& reply) {
  const Failure failure = failure_of("state " + state, reply);
  if (failure.exit() != Exit::kUnavailable) throw Failure(failure);
  throw Failure(failure.exit(), in_use_message(state) + ", a service that says: " + failure.what());
}

std::optional<std::string> ask(const std::string& state, const std::string& path,
                               const std::string& body) {
  if (!state_in_use(state)) return {};
  const auto address = read_control(state);
  if (!address) return {};
  const auto reply = http_post(address->url, path, address->token, body, kPatience);
  // No answer, or a server that does not know the token: it did not write the file.
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

std::optional<std::string> ask_for_rule(const std::string& state) {
  const auto answer = ask(state, "/v1/control/rule", "{}");
  if (!answer) return {};
  simdjson::dom::parser parser;
  std::string_view text;
  if (parser.parse(simdjson::padded_string(*answer))["text"].get(text) != simdjson::SUCCESS)
    return {};
  return std::string(text);
}

std::optional<std::string> ask_for_stats(const std::string& state, bool json) {
  return ask_question(state, "/v1/control/stats",
                      JsonObject().text("form", json ? "json" : "text").str());
}

std::optional<std::string> ask_about_ids(const std::string& state, const std::string& name_space,
                                         const std::string& a, const std::string& b, bool colour) {
  return ask_question(state, "/v1/control/explain",
                      JsonObject()
                          .text("namespace", name_space)
                          .text("a", a)
                          .text("b", b)
                          .boolean("color", colour)
                          .str());
}

std::optional<std::string> ask_for_similar(const std::string& state, const SearchRequest& request) {
  if (!state_in_use(state)) return {};
  const std::string body = request_json(request);
  if (body.size() > kMostBody) return {};
  try {
    return ask_question(state, "/v1/control/similar", body);
  } catch (const Failure& failure) {
    if (failure.exit() != Exit::kConfig) throw;
    return {};
  }
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

std::optional<ServiceBackup> ask_for_backup(const std::string& url, const std::string& token,
                                            const std::string& name) {
  const std::string body = JsonObject().text("name", name).str();
  const auto reply = http_post(url, "/v1/control/backup", token, body, kPatience);
  if (!reply) return {};
  if (reply->status == kUnauthorized) {
    throw Failure(Exit::kConfig,
                  fmt::format("the service at {} does not accept this token: is it in "
                              "`http.token_file`, and was the service started since it changed?",
                              url));
  }
  if (reply->status != kOk) throw failure_of(url, *reply);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  ServiceBackup backup;
  std::string_view told;
  if (parser.parse(simdjson::padded_string(reply->body)).get(root) != simdjson::SUCCESS ||
      root["name"].get(told) != simdjson::SUCCESS ||
      root["done"].get(backup.done) != simdjson::SUCCESS ||
      root["bytes"].get(backup.bytes) != simdjson::SUCCESS) {
    throw failure_of(url, *reply);
  }
  backup.name = told;
  if (!backup.done) return backup;
  backup.documents = root["documents"];
  backup.next_seq = root["next_seq"];
  backup.files = root["files"];
  return backup;
}

}  // namespace neardup
