#include <fmt/core.h>

#include "pipeline/base/quantities.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/control/client.h"
#include "service/log/clock.h"
#include "service/state/delete_documents.h"

namespace neardup {
namespace {

DeleteReport delete_ids(const CommandLine& line) {
  const std::string state = existing_state_path(line);
  const std::string name_space = line.one("--namespace").value_or("");
  const std::vector<std::string> ids = line.all("ID");
  if (auto report = ask_to_delete(state, name_space, ids)) return *std::move(report);
  const auto store = open_existing_state(line, OpenMode::kReadWrite);
  OwnState access(*store);
  return delete_documents(state, name_space, ids, now_ms(), access);
}

}  // namespace

int run_delete(const CommandLine& line) {
  const DeleteReport report = delete_ids(line);
  for (const std::string& id : report.unknown) {
    fmt::print(stderr, "neardup: {}: the state has no such id\n", id);
  }
  fmt::print("deleted {} of {}\n", report.deleted, report.deleted + report.unknown.size());
  if (report.deleted == 0) return 0;
  fmt::print(
      "documents {} with {} of text, copies of others {}\n"
      "Nothing matches them any more. Their bytes leave the disk with background merging, or now:\n"
      "neardup compact --purge --state {}\n",
      report.documents, human_bytes(static_cast<double>(report.text_bytes)),
      report.deleted - report.documents, *line.one("--state"));
  return 0;
}

}  // namespace neardup
