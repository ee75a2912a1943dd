#include <fmt/core.h>

#include "pipeline/base/quantities.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/state_keys.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/search/engines.h"
#include "service/state/backup.h"
#include "service/state/delete_log_file.h"

namespace neardup {
namespace {

// Erases the log of deletes, which names deleted documents, from the state and its directory.
void purge(const std::string& state, Store& store) {
  WriteSet writes;
  for (const auto& [key, value] : store.meta_with_prefix(kMetaDeleteLog)) {
    writes.meta.emplace_back(key, "");
  }
  store.commit(writes);
  forget_deletes(state);
  fmt::print("{} entries of the log of deletes are forgotten\n", writes.meta.size());
}

}  // namespace

int run_compact(const CommandLine& line) {
  const std::string state = existing_state_path(line);
  const auto store = open_existing_state(line, OpenMode::kReadWrite);
  const auto before = static_cast<double>(store->size().disk_bytes);
  if (line.has("--purge")) purge(state, *store);
  remove_old_checkpoint(state);
  store->compact();
  const auto after = static_cast<double>(store->size().disk_bytes);
  // While this process holds the state, no other one writes the index of keywords.
  compact_keyword_index(state, *open_existing_state(line, OpenMode::kReadOnly));
  fmt::print("{} before, {} now\n", human_bytes(before), human_bytes(after));
  return 0;
}

}  // namespace neardup
