#include <fmt/core.h>

#include <algorithm>

#include "service/commands/commands.h"
#include "service/setup.h"

namespace neardup {
namespace {

std::vector<IdKey> keys_of(const CommandLine& line) {
  std::vector<std::string> ids = line.all("ID");
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const std::string name_space = line.one("--namespace").value_or("");
  std::vector<IdKey> keys;
  for (std::string& id : ids) keys.push_back({name_space, std::move(id)});
  return keys;
}

}  // namespace

int run_delete(const CommandLine& line) {
  const auto store = open_existing_state(line, OpenMode::kReadWrite);
  const std::vector<IdKey> keys = keys_of(line);
  std::vector<std::optional<IdRow>> rows;
  store->ids(keys, rows);
  WriteSet writes;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!rows[i]) {
      fmt::print(stderr, "neardup: {}: the state has no such id\n", keys[i].id);
      continue;
    }
    writes.erase_ids.push_back(keys[i]);
    // Its postings stay behind: they are hints, and `compact` drops them.
    if (rows[i]->has_document) writes.erase_documents.push_back(rows[i]->seq);
  }
  store->commit(writes);
  fmt::print("deleted {} of {}\n", writes.erase_ids.size(), keys.size());
  return 0;
}

}  // namespace neardup
