// The engines of `neardup similar` over random sketches of 8-bit values with planted neighbours:
// time to index, bytes, time of one query and of 1024 at once, and the share of the planted
// neighbours that is found. Rows are in memory: reading them from disk is not in these figures.
#include "service/search/engines.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/engines/planted.h"
#include "bench/process_costs.h"
#include "bench/runner.h"
#include "gpu/backends.h"
#include "gpu/cpu/compare.h"
#include "pipeline/search/similar.h"
#include "storage/similar/keyword_index.h"

namespace neardup::bench {
namespace {

struct Arguments {
  std::uint32_t documents = 4'000'000;
  std::uint32_t values = 256;
  std::uint32_t queries = 1024;
  std::uint32_t repeat = 3;
  std::uint64_t device_memory = std::uint64_t{4} << 30;  // bytes, of a GPU
  std::string directory;                                 // of segments; empty: in memory
  std::string only;                                      // rows whose name contains this
  bool json = false;
};

struct Engine {
  std::unique_ptr<SearchEngine> engine;
  std::string what;
  double build_cpu_seconds = 0;
  std::uint64_t bytes = 0;  // of its index
};

// Neighbours found, by their similarity, of those whose estimate reaches min_similarity.
class Recall {
 public:
  Recall(const PlantedView& view, const SimilarOptions& options) : view_(view) {
    const Estimator estimator(view.rule().plan, kOne);
    const SketchComparer comparer(view.rule().plan.shape(), {});
    wanted_.resize(view.queries());
    for (std::uint32_t i = 0; i < view.queries(); ++i) {
      for (std::size_t j = 0; j < kPlanted.size(); ++j) {
        const auto equal = comparer.equal_values(view.query(i), view.sketch(view.neighbour(i, j)));
        if (estimator.similarity_ppm(equal) < options.min_similarity) continue;
        wanted_[i].push_back(j);
        ++total_[j];
      }
    }
  }

  // Of all neighbours, and then by similarity.
  std::vector<double> of(const std::vector<SimilarAnswer>& answers) const {
    std::array<double, kPlanted.size()> found{};
    for (std::uint32_t i = 0; i < answers.size(); ++i) {
      std::set<Seq> hits;
      for (const SimilarHit& hit : answers[i].hits) hits.insert(hit.seq);
      for (const std::size_t j : wanted_[i]) found[j] += hits.contains(view_.neighbour(i, j));
    }
    std::vector<double> shares(1);
    double all = 0;
    for (std::size_t j = 0; j < found.size(); ++j) {
      shares.push_back(found[j] / total_[j]);
      shares[0] += found[j];
      all += total_[j];
    }
    shares[0] /= all;
    return shares;
  }

 private:
  const PlantedView& view_;
  std::vector<std::vector<std::size_t>> wanted_;  // places in kPlanted, by query
  std::array<double, kPlanted.size()> total_{};
};

constexpr std::uint32_t kOnDevice = 0;  // a number of threads that stands for a GPU

// Threads, and a GPU where there is one.
std::vector<std::uint32_t> machines() {
  std::vector<std::uint32_t> all{1, 2};
  if (why_no_gpu({}).empty()) all.push_back(kOnDevice);
  return all;
}

[[noreturn]] void device_failed(const std::string& failure) { throw std::runtime_error(failure); }

SearchMachine machine(const Arguments& arguments, std::uint32_t threads) {
  if (threads == kOnDevice) return {{}, {0, arguments.device_memory}, device_failed};
  return {{.threads = threads}, {}, {}};
}

// The hits must be those of the row before, on another machine.
void require_same(const std::vector<SimilarAnswer>& answers, std::vector<SimilarAnswer>& before,
                  const std::string& what) {
  const auto hits = [](const SimilarAnswer& answer) {
    std::vector<std::pair<Seq, std::uint32_t>> all;
    for (const SimilarHit& hit : answer.hits) all.emplace_back(hit.seq, hit.equal);
    return all;
  };
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (hits(answers[i]) != hits(before[i])) throw std::runtime_error(what + ": other hits");
  }
  before = answers;
}

void measure(const PlantedView& view, const Arguments& arguments, const Recall& recall,
             const SimilarOptions& options, const Engine& engine, std::uint32_t threads,
             std::vector<SimilarAnswer>& before) {
  const SimilarSearch search(view.rule(), *engine.engine, machine(arguments, threads).cpu);
  std::vector<SimilarQuery> queries;
  for (std::uint32_t i = 0; i < view.queries(); ++i) {
    queries.push_back({{"", view.query(i), view.query_one_bit(i), 0, {}}, 0});
  }
  search.answer(view, {queries.data(), 1}, options);  // the view counts its documents once
  std::vector<double> single;
  for (std::size_t i = 0; i < std::min<std::size_t>(queries.size(), 200); ++i) {
    const double start = wall_seconds();
    search.answer(view, {&queries[i], 1}, options);
    single.push_back((wall_seconds() - start) * 1e3);
  }
  std::sort(single.begin(), single.end());
  std::vector<double> wall;
  std::vector<double> cpu;
  std::vector<SimilarAnswer> answers;
  for (std::uint32_t i = 0; i < arguments.repeat; ++i) {
    const ProcessCosts begin = process_costs();
    answers = search.answer(view, queries, options);
    const ProcessCosts end = process_costs();
    wall.push_back(end.seconds - begin.seconds);
    cpu.push_back(end.cpu_seconds - begin.cpu_seconds);
  }
  require_same(answers, before, engine.what);
  const std::vector<double> shares = recall.of(answers);
  Row row;
  row.text("engine", engine.what).number("threads", threads);  // 0: a GPU
  row.number("build CPU s", engine.build_cpu_seconds, 2);
  row.number("bytes/document",
             static_cast<double>(engine.bytes) / static_cast<double>(arguments.documents), 1);
  row.number("one query ms", single[single.size() / 2], 3);
  row.number("p99", single[single.size() * 99 / 100], 3);
  row.number("all at once s", median(wall), 3);
  row.number("CPU s", median(cpu), 3);
  row.number("recall", shares[0], 4);
  for (const std::size_t j : {6u, 7u, 8u, 9u}) {
    row.number("J " + std::to_string(kPlanted[j]).substr(0, 3), shares[j + 1], 3);
  }
  Options shown;
  shown.json = arguments.json;
  row.print(shown);
}

std::shared_ptr<KeywordIndex> build(const PlantedView& view, const Arguments& arguments,
                                    const KeywordSearch& search, Engine& engine) {
  KeywordIndexOptions options;
  options.directory = arguments.directory;
  options.kind = {1, search.source, search.keywords.count()};
  const ProcessCosts before = process_costs();
  auto index = std::make_shared<KeywordIndex>(options, keyword_maker(view.rule().plan, search));
  index->follow(view);
  index->maintain(view);
  engine.build_cpu_seconds = process_costs().cpu_seconds - before.cpu_seconds;
  for (const auto& segment : index->parts().segments) engine.bytes += segment->bytes();
  return index;
}

int run(const Arguments& arguments) {
  const PlantedView view(arguments.documents, arguments.values, arguments.queries);
  const SimilarOptions options;
  const Recall recall(view, options);
  const auto wants = [&](std::string_view name) { return name.find(arguments.only) != name.npos; };
  const SketchShape shape = view.rule().plan.shape();
  std::vector<SimilarAnswer> scanned;
  for (const std::uint32_t threads : machines()) {
    if (!wants("scan")) continue;
    measure(view, arguments, recall, options,
            {scan_engine(shape, machine(arguments, threads)), "scan", 0, 0}, threads, scanned);
  }
  for (const KeywordSearch& search :
       {match_search(shape, 32), match_search(shape, 64), ewh_search(shape)}) {
    if (!wants(search.engine)) continue;
    Engine built;
    built.what =
        std::string(search.engine) + ", " + std::to_string(search.keywords.count()) + " keywords";
    const auto index = build(view, arguments, search, built);
    std::vector<SimilarAnswer> found;
    for (const std::uint32_t threads : machines()) {
      built.engine = keyword_engine(shape, search, index, machine(arguments, threads));
      measure(view, arguments, recall, options, built, threads, found);
    }
  }
  return 0;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  neardup::bench::Arguments arguments;
  CLI::App app("The engines of `neardup similar` over random sketches with planted neighbours.");
  app.add_option("--documents", arguments.documents, "Sketches; default 4000000");
  app.add_option("--values", arguments.values, "Values of a sketch; default 256");
  app.add_option("--queries", arguments.queries, "Queries; default 1024");
  app.add_option("--repeat", arguments.repeat, "Timed repetitions; default 3");
  app.add_option("--only", arguments.only, "scan, match or ewh; default all");
  app.add_option("--device-memory", arguments.device_memory,
                 "Bytes of a GPU that an engine may take; default 4 GiB")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--directory", arguments.directory, "Keep the segments of `match` here");
  app.add_flag("--json", arguments.json, "One JSON object a row");
  CLI11_PARSE(app, argc, argv);
  return neardup::bench::run(arguments);
}
