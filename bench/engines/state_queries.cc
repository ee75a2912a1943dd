// Queries by id through a state on disk, one after another, with rows from RocksDB: the time of
// each.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "bench/runner.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/search/similar.h"
#include "pipeline/state_keys.h"
#include "service/search/engines.h"
#include "service/search/search_query.h"
#include "storage/stores.h"

namespace neardup::bench {
namespace {

struct Arguments {
  std::string state;
  std::uint32_t queries = 2000;
  bool json = false;
};

// Ids of documents that the state has, drawn at random.
std::vector<IdKey> draw(const SketchView& view, std::uint32_t count) {
  std::mt19937_64 random(5);
  std::vector<IdKey> keys;
  std::vector<std::optional<DocumentRow>> rows;
  while (keys.size() < count) {
    const Seq seq = random() % view.end();
    view.documents({&seq, 1}, rows);
    if (rows.front() && !rows.front()->sketch.empty()) {
      keys.push_back({rows.front()->name_space, rows.front()->id});
    }
  }
  return keys;
}

void measure(EngineName name, const Arguments& arguments, Store& store, const Rule& rule,
             const std::vector<IdKey>& keys) {
  SearchOptions options;
  options.engine = name;
  const CpuOptions one_thread{.threads = 1};
  const auto engine = open_engine(options, arguments.state, store, rule, {one_thread, {}, {}});
  const SimilarSearch search(rule, *engine, one_thread);
  const auto view = store.sketches();
  std::vector<double> milliseconds;
  double hits = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const QueryOrError query = query_of_id(keys[i], store.find_id(keys[i]), *view, rule.plan);
    const SimilarQuery asked = query.query->view();
    const double start = wall_seconds();
    const auto answers = search.answer(*view, {&asked, 1}, {});
    // The first one indexes what is not in segments.
    if (i > 0) milliseconds.push_back((wall_seconds() - start) * 1e3);
    hits += static_cast<double>(answers.front().hits.size());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto at = [&](double share) {
    return milliseconds[static_cast<std::size_t>(share * static_cast<double>(milliseconds.size()))];
  };
  Row row;
  row.text("engine", engine->name())
      .number("documents", static_cast<double>(store.size().documents));
  row.number("p50 ms", at(0.5), 3)
      .number("p99 ms", at(0.99), 3)
      .number("most", milliseconds.back(), 3);
  row.number("hits a query", hits / static_cast<double>(keys.size()), 2);
  Options shown;
  shown.json = arguments.json;
  row.print(shown);
}

int run(const Arguments& arguments) {
  StorageOptions options;
  options.path = arguments.state;
  const auto store = open_store(options, OpenMode::kReadOnly);
  const Rule rule = stored_rule(*store);
  store->set_index(IndexEntryMaker(rule.plan));
  const auto keys = draw(*store->sketches(), arguments.queries);
  for (const EngineName name : {EngineName::kMatch, EngineName::kScan}) {
    measure(name, arguments, *store, rule, keys);
  }
  return 0;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  neardup::bench::Arguments arguments;
  CLI::App app("Queries by id through a state on disk, one after another.");
  app.add_option("--state", arguments.state, "Directory of the state")->required();
  app.add_option("--queries", arguments.queries, "Queries; default 2000");
  app.add_flag("--json", arguments.json, "One JSON object a row");
  CLI11_PARSE(app, argc, argv);
  return neardup::bench::run(arguments);
}
