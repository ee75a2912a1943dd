// A shard of a cluster with a large state: CPU time to answer for documents that are like none of
// its own. The state is one that `bench/index --keep` has left, and stays as it is, except that
// --compact merges it.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "bench/runner.h"
#include "bench/synthetic.h"
#include "pipeline/base/failure.h"
#include "pipeline/shard/shard.h"
#include "service/cluster/log_chunk.h"
#include "storage/stores.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kSlack = 64;
constexpr std::size_t kChunks = 400;                      // of a repetition
constexpr std::uint64_t kFirst = std::uint64_t{1} << 40;  // no document of the state

struct Command {
  Options output;
  SyntheticOptions documents{.bands = 16, .duplicates = 0, .batch = kMostChunkRecords};
  StorageOptions storage;
  bool compact = false;
};

class Strangers {
 public:
  Strangers(const Command& command, Store& store)
      : documents_(command.documents), rule_(rule_of(documents_)) {
    store.set_index([this](const DocumentRow& row) { return documents_.index(row); });
    shard_.emplace(rule_, kSlack, FilterOptions(), CpuOptions(), KeepTexts::kNone, store);
  }

  // Microseconds of a document.
  double answer_chunks() {
    double seconds = 0;
    for (std::size_t n = 0; n < kChunks; ++n, next_ += kMostChunkRecords) {
      documents_.fill(next_, kMostChunkRecords, chunk_);
      const double start = thread_seconds();
      shard_->answer(chunk_, 1 + next_);
      seconds += thread_seconds() - start;
    }
    return 1e6 * seconds / (kChunks * kMostChunkRecords);
  }

 private:
  SyntheticDocuments documents_;
  Rule rule_;
  std::optional<Shard> shard_;
  SketchedBatch chunk_;
  std::uint64_t next_ = kFirst;
};

void run(const Command& command) {
  const auto store = open_store(command.storage, OpenMode::kReadWrite);
  Strangers strangers(command, *store);
  if (command.compact) store->compact();
  strangers.answer_chunks();
  std::vector<double> times;
  for (std::uint32_t i = 0; i < command.output.repeat; ++i)
    times.push_back(strangers.answer_chunks());
  const StoreStats stats = store->stats();
  const auto [least, most] = std::ranges::minmax(times);
  Row()
      .text("row", "answer")
      .number("documents", static_cast<double>(stats.documents))
      .number("generations", static_cast<double>(stats.index.generations))
      .number("us_per_document", median(times), 2)
      .number("us_min", least, 2)
      .number("us_max", most, 2)
      .print(command.output);
}

Command parse(int argc, char** argv) {
  Command command;
  command.storage.memory = std::uint64_t{4} << 30;
  CLI::App app{"Answers of a shard with a large state to documents that are like none of its own"};
  app.add_option("--path", command.storage.path, "the state that bench/index --keep has left")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--bands", command.documents.bands, "those of that state")->capture_default_str();
  app.add_option("--memory", command.storage.memory, "storage.memory, as 4GiB")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  app.add_flag("--compact", command.compact, "merge the index into one generation first");
  app.add_option("--repeat", command.output.repeat, "timed repetitions")
      ->check(CLI::PositiveNumber);
  app.add_flag("--json", command.output.json, "one JSON object a row");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : static_cast<int>(Exit::kUsage));
  }
  return command;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  try {
    neardup::bench::run(neardup::bench::parse(argc, argv));
    return 0;
  } catch (const neardup::Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.exit());
  }
}
