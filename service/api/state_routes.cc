#include <optional>
#include <utility>
#include <vector>

#include "pipeline/base/json_object.h"
#include "pipeline/state_keys.h"
#include "service/api/failures.h"
#include "service/api/routes.h"
#include "service/http/message/problem.h"
#include "service/state/group_report.h"
#include "service/state/state_report.h"
#include "service/state/stored_version.h"

namespace neardup {
namespace {

constexpr std::uint64_t kUsualPage = 100;
constexpr std::uint64_t kLargestPage = 1000;

const HttpParameter kId{.name = "id", .about = "The id of the document."};
const HttpParameter kNamespace{.name = "namespace",
                               .about = "Namespace of the id; default: the empty one."};

const HttpParameter kAfter{.name = "after",
                           .about = "The page begins after this seq; default 0.",
                           .kind = HttpParameter::Kind::kNumber,
                           .most = kMaxSeq};
const HttpParameter kLimit{.name = "limit",
                           .about = "Maximum number of seqs in the page; default 100.",
                           .kind = HttpParameter::Kind::kNumber,
                           .least = 1,
                           .most = kLargestPage};

// What is known of one id.
struct Known {
  StoredVersion version;
  std::optional<DocumentRow> original;  // of a flagged one, unless it has ended
};

std::optional<Known> known(const IdKey& key, Store& store) {
  auto version = stored_version(key, store);
  if (!version) return {};
  Known known{std::move(*version), {}};
  if (!known.version.id.kept) known.original = stored_document(known.version.id.original, store);
  return known;
}

void add_names(const std::string& id, const std::string& name_space, JsonObject& json) {
  json.text("id", id);
  if (!name_space.empty()) json.text("namespace", name_space);
}

void add_time(std::int64_t time_ms, JsonObject& json) {
  if (time_ms != 0) json.number("stream_time_ms", time_ms);
}

void add_sizes(const DocumentRow& row, JsonObject& json) {
  json.number("tokens", row.tokens).number("text_bytes", row.text_bytes);
}

std::string known_json(const IdKey& key, const Known& known) {
  const IdRow& row = known.version.id;
  JsonObject json;
  add_names(key.id, key.name_space, json);
  json.number("seq", row.seq);
  add_time(row.time_ms, json);
  json.boolean("kept", row.kept);
  if (!row.kept) {
    if (known.original) json.text("duplicate_of", known.original->id);
    json.number("duplicate_of_seq", row.original);
    json.decimals("similarity", row.similarity / 1e6, 3);
  }
  if (known.version.document) add_sizes(*known.version.document, json);
  return json.str();
}

std::string row_json(const DocumentRow& row) {
  JsonObject json;
  add_names(row.id, row.name_space, json);
  json.number("seq", row.seq);
  add_time(row.time_ms, json);
  add_sizes(row, json);
  return json.str();
}

IdKey key_of(const HttpRequest& request) {
  return {.name_space = request.text("namespace"), .id = request.text("id")};
}

HttpAnswer unknown(const IdKey& key) {
  return problem(404, "unknown_id", key.id + ": the state has no such id in this namespace");
}

HttpAnswer get_document(Control& control, const HttpRequest& request) {
  const IdKey key = key_of(request);
  std::optional<Known> found;
  control.read_state([&](StateAccess& state) { found = known(key, state.store()); });
  if (!found) return unknown(key);
  return {200, known_json(key, *found) + "\n", kJsonType};
}

HttpAnswer delete_document(Control& control, const HttpRequest& request) {
  const IdKey key = key_of(request);
  const DeleteReport report = control.delete_ids(key.name_space, {key.id});
  if (report.deleted == 0) return unknown(key);
  return {200, delete_report_json(report) + "\n", kJsonType};
}

// A page of the documents with rows, in the order of seq.
HttpAnswer list_documents(Control& control, const HttpRequest& request) {
  const Seq after = request.number("after", 0);
  const std::size_t limit = request.number("limit", kUsualPage);
  std::vector<Age> ages;
  std::vector<std::optional<DocumentRow>> rows;
  Seq last = 0;
  control.read_state([&](StateAccess& state) {
    state.store().ages(after + 1, limit, ages);
    std::vector<Seq> seqs;
    for (const Age& age : ages) seqs.push_back(age.seq);
    state.store().documents(seqs, rows);
    last = static_cast<Seq>(meta_number(state.store(), kMetaNextSeq, 1)) - 1;
  });
  std::erase(rows, std::nullopt);
  JsonObject json;
  json.json("documents", json_list(rows, [](const auto& row) { return row_json(*row); }));
  json.number("as_of_seq", last);
  if (ages.size() == limit) json.number("next", ages.back().seq);
  return {200, json.str() + "\n", kJsonType};
}

// A flagged document, as a member of the group of its original.
std::string copy_json(const IdKey& key, const IdRow& row) {
  JsonObject json;
  add_names(key.id, key.name_space, json);
  json.number("seq", row.seq);
  add_time(row.time_ms, json);
  return json.decimals("similarity", row.similarity / 1e6, 3).str();
}

HttpAnswer list_copies(Control& control, const HttpRequest& request) {
  const IdKey key = key_of(request);
  const std::size_t limit = request.number("limit", kUsualPage);
  std::optional<Known> found;
  control.read_state([&](StateAccess& state) { found = known(key, state.store()); });
  if (!found) return unknown(key);
  const auto copies = control.store().use([&](Store& store) {
    return store.copies(found->version.id.seq, request.number("after", 0) + 1, limit);
  });
  JsonObject json;
  add_names(key.id, key.name_space, json);
  json.number("seq", found->version.id.seq);
  json.json("copies",
            json_list(copies, [](const auto& copy) { return copy_json(copy.first, copy.second); }));
  if (copies.size() == limit) json.number("next", copies.back().second.seq);
  return {200, json.str() + "\n", kJsonType};
}

HttpAnswer list_groups(Control& control, const HttpRequest& request) {
  const std::size_t top = request.number("top", kUsualPage);
  const auto groups = control.store().use([&](Store& store) { return store.largest_groups(top); });
  return {200, groups_json(groups) + "\n", kJsonType};
}

HttpAnswer stats(Control& control, const HttpRequest&) {
  StateReport report;
  control.read_state(
      [&](StateAccess& state) { report = make_state_report(control.state(), state.store()); });
  return {200, state_report_json(report), kJsonType};
}

}  // namespace

void add_state_routes(Control& control, HttpRoutes& routes) {
  const auto add = [&](HttpRoute route, HttpAnswer (*answer)(Control&, const HttpRequest&)) {
    route.thread = HttpThread::kControl;
    route.gives = kJsonType;
    route.answer = [&control, answer](const HttpRequest& request) {
      return answered([&] { return answer(control, request); });
    };
    routes.push_back(std::move(route));
  };
  add({.methods = {"GET"},
       .path = "/v1/documents",
       .access = HttpAccess::kRead,
       .name = "list_documents",
       .about = "The documents that later ones are compared with, in the order of seq. `next` is "
                "the `after` of the next page; without it this is the last one.",
       .parameters = {kAfter, kLimit}},
      list_documents);
  add({.methods = {"GET"},
       .path = "/v1/documents/{id}",
       .access = HttpAccess::kRead,
       .name = "get_document",
       .about = "The decision about the current version of an id.",
       .parameters = {kId, kNamespace},
       .problems = {404}},
      get_document);
  add({.methods = {"DELETE"},
       .path = "/v1/documents/{id}",
       .access = HttpAccess::kWrite,
       .name = "delete_document",
       .about = "Deletes an id and its document. A delete has no seq.",
       .parameters = {kId, kNamespace},
       .problems = {404}},
      delete_document);
  add({.methods = {"GET"},
       .path = "/v1/documents/{id}/copies",
       .access = HttpAccess::kRead,
       .name = "list_copies",
       .about = "The documents that were flagged as copies of the current version of an id, in the "
                "order of seq, and that are still stored. `next` is the `after` of the next page; "
                "without it this is the last one.",
       .parameters = {kId, kNamespace, kAfter, kLimit},
       .problems = {404}},
      list_copies);
  add({.methods = {"GET"},
       .path = "/v1/groups",
       .access = HttpAccess::kRead,
       .name = "list_groups",
       .about = "The documents with the most copies, the most first. A group is named by the id of "
                "its original.",
       .parameters = {{.name = "top",
                       .about = "Maximum number of groups; default 100.",
                       .kind = HttpParameter::Kind::kNumber,
                       .least = 1,
                       .most = kLargestPage}}},
      list_groups);
  add({.methods = {"GET"},
       .path = "/v1/stats",
       .access = HttpAccess::kRead,
       .name = "stats",
       .about = "What the state holds, as the command `stats --json` prints it."},
      stats);
}

}  // namespace neardup
