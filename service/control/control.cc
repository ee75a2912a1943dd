#include "service/control/control.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <chrono>
#include <optional>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/http/message/problem.h"
#include "service/log/clock.h"
#include "service/state/backup.h"
#include "service/state/comparison.h"
#include "service/state/delete_log_file.h"
#include "service/state/state_report.h"

namespace neardup {
namespace {

using simdjson::dom::element;

constexpr std::size_t kMostWaiting = 8;  // the port has as many threads for them
constexpr std::uint64_t kRecentFlagBytes = std::uint64_t{8} << 20;
constexpr std::size_t kChecking = 1;                // one more thread reads (service/ingest)
constexpr std::chrono::seconds kBatchPatience{30};  // until the current batch ends

int http_status(Exit exit) {
  switch (exit) {
    case Exit::kUsage:
    case Exit::kUnreadable:
    case Exit::kConfig:
      return 400;
    case Exit::kUnavailable:
      return 503;
    case Exit::kInternal:
    case Exit::kIo:
      break;
  }
  return 500;
}

HttpAnswer error_answer(Exit exit, std::string_view what) {
  const int status = http_status(exit);
  const char* reason = status == 400 ? "wrong_request" : status == 503 ? "busy" : "failed";
  return problem(status, reason, what, static_cast<int>(exit));
}

// The text at `name` of a body, "" where it is missing.
std::string text_at(const element& root, std::string_view name) {
  const auto found = root[name];
  if (found.error() == simdjson::NO_SUCH_FIELD) return {};
  return std::string(std::string_view(found));
}

}  // namespace

Control::Control(const BackupOptions& backup, const std::string& state, const Rule& rule,
                 const Health& health, Log& log)
    : state_(state),
      rule_(rule),
      health_(health),
      tasks_(kMostWaiting),
      reads_(kMostWaiting + kChecking),
      flags_(kRecentFlagBytes),
      backups_(backup, state, log) {}

void Control::add_routes(HttpRoutes& routes) {
  const auto add = [&](const char* name, const char* about,
                       HttpAnswer (Control::*request)(const std::string&),
                       const char* gives = kJsonType) {
    routes.push_back({.methods = {"POST"},
                      .path = std::string("/v1/control/") + name,
                      .access = HttpAccess::kWrite,
                      .thread = HttpThread::kControl,
                      .answer =
                          [this, request](const HttpRequest& asked) {
                            return answer([&] { return (this->*request)(asked.body); });
                          },
                      .name = std::string("control_") + name,
                      .about = about,
                      .takes = {kJsonType},
                      .gives = gives,
                      .problems = {500, 503}});
  };
  add("rule", "The rule of the state, as lines of its settings.", &Control::rule);
  add("stats", "What the state holds, as the command `stats`.", &Control::stats);
  add("delete", "Deletes documents by their ids, as the command `delete`.", &Control::erase);
  add("explain", "Compares two documents, as the command `explain`.", &Control::explain,
      "text/plain");
  add("checkpoint", "Makes a checkpoint of the state next to it.", &Control::checkpoint);
  add("backup", "Begins a backup, or reports on one.", &Control::backup);
  add("similar", "The most similar documents, as the command `similar`.", &Control::similar,
      kJsonLinesType);
}

std::unique_ptr<Control::OpenState> Control::state_opened(const std::string& url, Store& store) {
  mirror_deletes(state_, store);
  remove_old_checkpoint(state_);
  backups_.state_opened(store.meta("uuid").value_or(""));
  return std::make_unique<OpenState>(state_, ControlAddress{url, token_}, store_, store);
}

HttpAnswer Control::answer(const std::function<HttpAnswer()>& request) const {
  try {
    return request();
  } catch (const Failure& failure) {
    return error_answer(failure.exit(), failure.what());
  } catch (const simdjson::simdjson_error& error) {
    return error_answer(Exit::kUsage, fmt::format("malformed body: {}", error.what()));
  }
}

void Control::on_state(const StateTasks::Work& work) { run_in(tasks_, work); }

void Control::read_state(const StateTasks::Work& work) { run_in(reads_, work); }

void Control::run_in(StateTasks& tasks, const StateTasks::Work& work) {
  std::string why;
  switch (tasks.run(work, kBatchPatience)) {
    case StateTasks::Outcome::kDone:
      return;
    case StateTasks::Outcome::kClosed:
      why = "the service is not deciding";
      break;
    case StateTasks::Outcome::kFull:
      why = "too many requests are queued";
      break;
    case StateTasks::Outcome::kLate:
      why = fmt::format("the current batch did not end within {} s", kBatchPatience.count());
      break;
  }
  if (const auto reasons = health_.why_not_ready(); !reasons.empty()) {
    why += fmt::format(": {}", fmt::join(reasons, ", "));
  }
  throw Failure(Exit::kUnavailable, why + ": retry later");
}

HttpAnswer Control::rule(const std::string&) {
  const std::string text = rule_text(rule_);
  JsonObject answer;
  answer.text("rule", rule_fingerprint(text)).text("text", text);
  return {200, answer.str() + '\n', kJsonType};
}

HttpAnswer Control::stats(const std::string& body) {
  simdjson::dom::parser parser;
  const bool as_text = text_at(parser.parse(simdjson::padded_string(body)), "form") == "text";
  StateReport report;
  on_state([&](StateAccess& state) { report = make_state_report(state_, state.store()); });
  if (as_text) return {200, state_report_text(report)};
  return {200, state_report_json(report), kJsonType};
}

HttpAnswer Control::erase(const std::string& body) {
  simdjson::dom::parser parser;
  const element root = parser.parse(simdjson::padded_string(body));
  const std::string name_space = text_at(root, "namespace");
  std::vector<std::string> ids;
  for (const std::string_view id : root["ids"].get_array()) ids.emplace_back(id);
  return {200, delete_report_json(delete_ids(name_space, ids)) + '\n', kJsonType};
}

DeleteReport Control::delete_ids(const std::string& name_space,
                                 const std::vector<std::string>& ids) {
  if (deletes_by_input_) return write_deletes(name_space, ids);
  DeleteReport report;
  on_state([&](StateAccess& state) {
    if (catching_up_) {
      throw Failure(Exit::kUnavailable,
                    "the state is a restored copy that catches up with what was delivered: a "
                    "delete now would lead to other flags; retry when it is ready");
    }
    report = delete_documents(state_, name_space, ids, now_ms(), state);
  });
  deleted_ += report.deleted;
  return report;
}

DeleteReport Control::write_deletes(const std::string& name_space,
                                    const std::vector<std::string>& ids) {
  return delete_writer_.use([&](const DeleteWriter& write) {
    DeleteReport report;
    read_state([&](StateAccess& state) { report = count_deletes(name_space, ids, state.store()); });
    write(name_space, ids);  // ids that are unknown now may be in the log already
    deleted_ += report.deleted;
    return report;
  });
}

HttpAnswer Control::explain(const std::string& body) {
  simdjson::dom::parser parser;
  const element root = parser.parse(simdjson::padded_string(body));
  const std::string name_space = text_at(root, "namespace");
  const std::string a = std::string(std::string_view(root["a"]));
  const std::string b = std::string(std::string_view(root["b"]));
  std::optional<Comparison> comparison;
  on_state([&](StateAccess& state) {
    comparison = compare_ids(name_space, a, b, rule_, state.store());
  });
  bool colour = false;  // older clients do not say
  if (root["color"].get(colour) != simdjson::SUCCESS) colour = false;
  return {200, comparison_text(*comparison, colour)};
}

void Control::checkpoint_now() {
  on_state([this](StateAccess& state) { make_checkpoint(state_, state.store()); });
}

HttpAnswer Control::checkpoint(const std::string&) {
  backups_.for_other([this] { checkpoint_now(); });
  return {200, "{}\n", kJsonType};
}

HttpAnswer Control::similar(const std::string& body) {
  const SearchRequest request = parse_request(body);
  return {200, searches_.use([&](const SearchAnswer& answer) { return answer(request); }),
          kJsonLinesType};
}

// Begins a backup if the body has no name, or else reports the progress of that backup.
HttpAnswer Control::backup(const std::string& body) {
  simdjson::dom::parser parser;
  std::string name = text_at(parser.parse(simdjson::padded_string(body)), "name");
  if (name.empty()) {
    name = backups_.begin([this] { checkpoint_now(); });
  }
  const ServiceBackups::Status status = backups_.status(name);
  if (status.failure) throw Failure(*status.failure);
  JsonObject answer;
  answer.text("name", name).boolean("done", status.made.has_value());
  answer.number("bytes", status.made ? status.made->bytes() : status.copied);
  if (status.made) {
    answer.number("documents", status.made->documents).number("next_seq", status.made->next_seq);
    answer.number("files", status.made->files.size());
  }
  return {200, answer.str() + '\n', kJsonType};
}

}  // namespace neardup
