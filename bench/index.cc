// The index alone, as it grows: documents in batches, looked up in all bands, decided and stored
// with a synced log. Copies must find their originals, or the exit status is 1.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "bench/index_growth.h"
#include "pipeline/base/failure.h"
#include "storage/stores.h"

namespace neardup::bench {
namespace {

struct Command {
  IndexLoad load;
  bool keep = false;
  bool reopen = false;
};

bool all_found(const IndexRun& run) { return run.counts().missed == 0 && run.counts().wrong == 0; }

bool grow(const Command& command) {
  const auto store = open_store(command.load.storage, OpenMode::kReadWrite);
  IndexRun run(command.load.synthetic, command.load.storage.memory, *store);
  IndexGrowth growth(command.load, run);
  growth.run();
  growth.finish();
  return all_found(run);
}

// Measures the time until the first documents are looked up. Requires: the state is closed.
bool reopen(const Command& command) {
  const ProcessCosts start = process_costs();
  const auto store = open_store(command.load.storage, OpenMode::kReadWrite);
  IndexRun run(command.load.synthetic, command.load.storage.memory, *store);
  const double opened = process_costs().seconds;
  run.look_up_chunk();
  const ProcessCosts ready = process_costs();
  Row()
      .text("row", "reopen")
      .number("documents", static_cast<double>(run.documents()))
      .number("open_seconds", opened - start.seconds, 3)
      .number("ready_seconds", ready.seconds - start.seconds, 3)
      .number("ready_cpu_seconds", ready.cpu_seconds - start.cpu_seconds, 3)
      .number("rss_bytes", static_cast<double>(ready.rss_bytes))
      .print_list(command.load.output);
  return all_found(run);
}

Command parse(int argc, char** argv) {
  Command command;
  IndexLoad& load = command.load;
  load.storage.path = (std::filesystem::temp_directory_path() / "neardup-bench-index").string();
  CLI::App app{"Growth of the index alone, a row for each million documents"};
  app.add_option("--documents", load.documents, "documents in the state at the end")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--bands", load.synthetic.bands, "buckets of a document")
      ->check(CLI::Range(1, 42))
      ->capture_default_str();
  app.add_option("--duplicates", load.synthetic.duplicates, "share of copies")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--relatives", load.synthetic.relatives, "share of documents half like another")
      ->check(CLI::Range(0.0, 0.9))
      ->capture_default_str();
  app.add_option("--batch", load.synthetic.batch, "documents in a batch")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--memory", load.storage.memory, "storage.memory, as 4GiB")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  const std::map<std::string, StoreName> stores{{"rocksdb", StoreName::kRocksdb},
                                                {"memory", StoreName::kMemory}};
  app.add_option("--store", load.storage.store, "rocksdb or memory")
      ->transform(CLI::CheckedTransformer(stores));
  app.add_option("--path", load.storage.path,
                 "directory of the state; an existing state is continued")
      ->capture_default_str();
  app.add_flag("--keep", command.keep, "keep the state afterwards");
  app.add_flag("--reopen", command.reopen,
               "then open the state again and print how long that takes");
  app.add_flag("--json", load.output.json, "one JSON object a row");
  try {
    app.parse(argc, argv);
    if (load.synthetic.duplicates + load.synthetic.relatives > 0.9)
      throw CLI::ValidationError("--relatives", "a tenth of the documents must be distinct");
    if (command.reopen && load.storage.store == StoreName::kMemory)
      throw CLI::ValidationError("--reopen", "a store in memory cannot be opened again");
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : static_cast<int>(Exit::kUsage));
  }
  return command;
}

int run(const Command& command) {
  bool found = grow(command);
  if (command.reopen) found = reopen(command) && found;
  if (!command.keep) destroy_state(command.load.storage.path);
  return found ? 0 : 1;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  try {
    return neardup::bench::run(neardup::bench::parse(argc, argv));
  } catch (const neardup::Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.exit());
  }
}
