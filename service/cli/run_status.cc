#include "service/cli/run_status.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"

namespace neardup {

int run_status(const CommandLine& line, const AllRejected& rejected) {
  const int stopped = stop_status();
  if (stopped != 0 || line.has("--allow-all-rejected")) return stopped;
  const std::string sentence = rejected.sentence();
  if (sentence.empty()) return 0;
  // A kept state has recorded these inputs as read.
  fmt::print(stderr, "neardup: {}{}\n", sentence,
             line.has("--state") ? "; then rerun with --rescan" : "");
  return static_cast<int>(Exit::kUnreadable);
}

std::string status_text(const PipelineCounts& counts) {
  constexpr std::pair<Status, std::string_view> kLines[] = {
      {Status::kUnique, "unique"},
      {Status::kExactDuplicate, "exact duplicates"},
      {Status::kNearDuplicate, "near-duplicates"},
      {Status::kUnchanged, "unchanged"},
      {Status::kTooShort, "too short"},
      {Status::kEmpty, "empty"},
      {Status::kDeleted, "deleted"},
      {Status::kRejected, "rejected"},
  };
  std::string out;
  for (const auto& [status, words] : kLines) {
    const std::uint64_t count = counts.of(status);
    if (count == 0) continue;
    out +=
        fmt::format("{:>10}  {}  ({:.1f} %)\n", count, words,
                    100.0 * static_cast<double>(count) / static_cast<double>(counts.documents()));
  }
  return out;
}

}  // namespace neardup
