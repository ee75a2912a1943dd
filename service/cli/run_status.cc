#include "service/cli/run_status.h"

#include <fmt/core.h>

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

}  // namespace neardup
