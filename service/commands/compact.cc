#include <fmt/core.h>

#include "service/commands/commands.h"
#include "service/human.h"
#include "service/setup.h"

namespace neardup {

int run_compact(const CommandLine& line) {
  const auto store = open_existing_state(line, OpenMode::kReadWrite);
  const auto before = static_cast<double>(store->stats().disk_bytes);
  store->compact();
  const auto after = static_cast<double>(store->stats().disk_bytes);
  fmt::print("{} before, {} now\n", human_bytes(before), human_bytes(after));
  return 0;
}

}  // namespace neardup
