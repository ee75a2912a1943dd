// neardup: the command.

#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/cli/command_line.h"
#include "service/cli/completions.h"
#include "service/commands/commands.h"
#include "service/report/library_versions.h"

namespace {

using neardup::CommandLine;
using neardup::Exit;

const std::map<std::string, std::function<int(const CommandLine&)>> kCommands = {
    {"scan", neardup::run_scan},
    {"serve", neardup::run_serve},
    {"check", neardup::run_check},
    {"groups", neardup::run_groups},
    {"eval", neardup::run_eval},
    {"report", neardup::run_report},
    {"explain", neardup::run_explain},
    {"similar", neardup::run_similar},
    {"search", neardup::run_search},
    {"features", neardup::run_features},
    {"sketch", neardup::run_sketch},
    {"tune", neardup::run_tune},
    {"size", neardup::run_size},
    {"stats", neardup::run_stats},
    {"delete", neardup::run_delete},
    {"compact", neardup::run_compact},
    {"migrate", neardup::run_migrate},
    {"backup", neardup::run_backup},
    {"restore", neardup::run_restore},
    {"cluster init", neardup::run_cluster_init},
    {"cluster status", neardup::run_cluster_status},
    {"cluster place", neardup::run_cluster_place},
    {"health", neardup::run_health},
    {"verify-vectors", neardup::run_verify_vectors},
    {"config check", neardup::run_config_check},
    {"config show", neardup::run_config_show},
    {"config reference", neardup::run_config_reference},
    {"config schema", neardup::run_config_schema},
    {"metrics reference", neardup::run_metrics_reference},
    {"completions", neardup::run_completions},
};

int fail(Exit exit, const char* what) {
  fmt::print(stderr, "neardup: {}\n", what);
  return static_cast<int>(exit);
}

}  // namespace

int main(int argc, char** argv) {
  // Writes to a closed pipe or past a file size limit are errors, reported as such.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    if (argc > 1 && argv[1] == neardup::kComplete) {
      const std::vector<std::string> words(argv + 2, argv + argc);
      fmt::print("{}", neardup::completion_lines(neardup::complete(words)));
      return 0;
    }
    const auto parsed = neardup::parse_command_line(argc, argv, neardup::version_text());
    if (!parsed.command_line) {
      if (parsed.status != 0 && argc > 1 && argv[1] == std::string_view("serve"))
        return neardup::refuse_serve(parsed.text);
      fmt::print(parsed.status == 0 ? stdout : stderr, "{}", parsed.text);
      return parsed.status;
    }
    return kCommands.at(parsed.command_line->command)(*parsed.command_line);
  } catch (const neardup::Failure& failure) {
    return fail(failure.exit(), failure.what());
  } catch (const std::bad_alloc&) {
    return fail(Exit::kInternal,
                "out of memory; lower storage.memory, batch.documents or text.max_bytes");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(Exit::kIo, error.what());
  } catch (const std::exception& error) {
    return fail(Exit::kInternal, error.what());
  }
}
