// The commands, one file each. Each returns the exit status, or throws Failure.
#pragma once

#include <string_view>

#include "service/cli/command_line.h"

namespace neardup {

int run_scan(const CommandLine& line);
// `scan --dry-run`.
int run_dry_scan(const CommandLine& line);
int run_serve(const CommandLine& line);
// For a command line of `serve` that is not understood. `usage`: why, for people.
int refuse_serve(std::string_view usage);
int run_check(const CommandLine& line);
int run_explain(const CommandLine& line);
int run_similar(const CommandLine& line);
int run_search(const CommandLine& line);
int run_eval(const CommandLine& line);
int run_groups(const CommandLine& line);
int run_report(const CommandLine& line);
int run_features(const CommandLine& line);
int run_sketch(const CommandLine& line);
int run_tune(const CommandLine& line);
int run_size(const CommandLine& line);
int run_stats(const CommandLine& line);
int run_delete(const CommandLine& line);
int run_compact(const CommandLine& line);
int run_migrate(const CommandLine& line);
int run_backup(const CommandLine& line);
int run_restore(const CommandLine& line);
int run_cluster_init(const CommandLine& line);
int run_cluster_status(const CommandLine& line);
int run_cluster_place(const CommandLine& line);
int run_health(const CommandLine& line);
int run_verify_vectors(const CommandLine& line);
int run_config_check(const CommandLine& line);
int run_config_show(const CommandLine& line);
int run_config_reference(const CommandLine& line);
int run_config_schema(const CommandLine& line);
int run_metrics_reference(const CommandLine& line);
int run_completions(const CommandLine& line);

}  // namespace neardup
