// Match-counts over long postings and their rivals, on data of the size and kind of GENIE's (Zhou
// et al. 2018): random signatures of 237 functions, and 1024 queries with ten planted neighbours
// each. The slow rivals are asked a sample of the queries; their times are scaled up to 1024. All
// rows of the same data must give the same answers, except those of the LSH; the exit status is 1
// where they do not.
#include "bench/theory/genie.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "bench/engines/device_match.h"
#include "bench/engines/match_rivals.h"
#include "bench/engines/signatures.h"
#include "bench/process_costs.h"
#include "bench/runner.h"
#include "gpu/backends.h"
#include "gpu/search/dense_match.h"

namespace neardup::bench {
namespace {

constexpr std::uint32_t kMost = kNeighbours.size();
constexpr std::uint32_t kMostFunctions = CountQueue::kMostCount;  // so that no count is cut
// Queries that are also compared with so many objects that strangers of the same count are among
// the last ones.
constexpr std::uint32_t kCompared = 8;
constexpr std::uint32_t kMostCompared = 100;
constexpr std::uint32_t kSingles = 32;  // queries that are also asked one at a time
constexpr std::uint32_t kBandRows = 6;  // as in the default index of buckets

struct Arguments {
  std::uint32_t documents = 0;  // 0: as many as the data set of the paper has
  std::uint32_t functions = kPaperFunctions;
  std::uint32_t queries = 1024;
  std::uint32_t sample = 16;
  std::uint32_t repeat = 3;
  std::string only;
  bool json = false;
};

// Data of one size and kind.
struct Kind {
  const char* name;
  std::uint32_t objects;
  std::uint32_t range;    // values of a function
  const char* published;  // by the paper, for 1024 queries on its Titan X
};
constexpr Kind kKinds[] = {{"OCR", 3'500'000, 8192, "2.60"},
                           {"SIFT", 4'500'000, 67, "7.04"},
                           {"8 bits", 4'500'000, 256, "-"}};

struct Engine {
  std::string name;
  std::uint32_t threads = 1;  // 0: a GPU
  std::uint32_t queries = 0;  // that it is asked
  bool exact = true;          // gives the objects with the highest match-counts
  // The `most` best objects for each of `count` queries.
  std::function<std::vector<Answer>(std::uint32_t first, std::uint32_t count, std::uint32_t most)>
      answer;
  double build_cpu_seconds = 0;
  std::size_t bytes = 0;  // of its index
  const char* published = "-";
};

// Calls answer(i) for each query from `first` on.
template <class Call>
std::vector<Answer> one_by_one(std::uint32_t first, std::uint32_t count, Call answer) {
  std::vector<Answer> answers;
  for (std::uint32_t i = first; i < first + count; ++i) answers.push_back(answer(i));
  return answers;
}

// The rows of one kind of data.
template <class Value>
class KindBench {
 public:
  KindBench(const Arguments& arguments, const Kind& kind)
      : arguments_(arguments),
        kind_(kind),
        signatures_(arguments.documents != 0 ? arguments.documents : kind.objects,
                    arguments.functions, kind.range, arguments.queries),
        sample_(std::min(arguments.sample, arguments.queries)) {
    for (std::uint32_t i = 0; i < arguments.queries; ++i) {
      items_.push_back(items_of(signatures_, signatures_.query(i)));
    }
  }

  // Whether all answers are the same.
  bool run() {
    if (why_no_gpu({}).empty()) on_device();
    inverted_index();
    measure({"scan of signatures", 1, sample_, true, [&](auto first, auto count, auto most) {
               return scan_signatures(signatures_, first, count, most);
             }});
    lsh();
    return same_;
  }

 private:
  void inverted_index() {
    const ProcessCosts before = process_costs();
    const DensePostings postings(
        signatures_.objects(),
        [&](auto i, auto& keywords) {
          const Value* const row = signatures_.object(i);
          for (std::uint32_t f = 0; f < signatures_.functions(); ++f) {
            keywords.push_back(f * signatures_.range() + row[f]);
          }
        },
        2);
    const double build = process_costs().cpu_seconds - before.cpu_seconds;
    for (const std::uint32_t threads : {1u, 2u}) {
      measure({"GENIE, c-PQ", threads, arguments_.queries, true,
               [&](auto first, auto count, auto most) {
                 const std::vector<DenseQuery> queries(items_.begin() + first,
                                                       items_.begin() + first + count);
                 return best_matches(postings, queries, most, threads);
               },
               build, postings.bytes(), kind_.published});
    }
    CountTable table(postings, signatures_.functions() * signatures_.range());
    measure({"CPU-Idx", 1, sample_, true, [&](auto first, auto count, auto most) {
               return one_by_one(first, count,
                                 [&](auto i) { return table.by_partial_sort(items_[i], most); });
             }});
    measure({"GEN-SPQ", 1, sample_, true, [&](auto first, auto count, auto most) {
               return one_by_one(first, count,
                                 [&](auto i) { return table.by_buckets(items_[i], most); });
             }});
  }

  void on_device() {
    const ProcessCosts before = process_costs();
    const auto device =
        make_device_match(signatures_.objects(), signatures_.functions(), signatures_.range(),
                          [&](std::uint32_t object, std::uint32_t* out) {
                            std::copy_n(signatures_.object(object), signatures_.functions(), out);
                          });
    const double build = process_costs().cpu_seconds - before.cpu_seconds;
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < arguments_.queries; ++i) {
      const Value* const query = signatures_.query(i);
      values.insert(values.end(), query, query + signatures_.functions());
    }
    measure({"GENIE, GPU", 0, arguments_.queries, true,
             [&](auto first, auto count, auto most) {
               const std::size_t each = signatures_.functions();
               return device->best(std::span(values).subspan(first * each, count * each), most);
             },
             build, device->bytes(), kind_.published});
  }

  void lsh() {
    const ProcessCosts before = process_costs();
    const LshTables<Value> tables(signatures_, kBandRows);
    const double build = process_costs().cpu_seconds - before.cpu_seconds;
    measure({fmt::format("LSH, {} bands of {}", tables.bands(), kBandRows), 1, arguments_.queries,
             false,
             [&](auto first, auto count, auto most) {
               return one_by_one(first, count, [&](auto i) { return tables.answer(i, most); });
             },
             build, tables.bytes()});
  }

  void measure(const Engine& engine) {
    std::vector<double> single;
    for (std::uint32_t i = 0; i < std::min(kSingles, engine.queries); ++i) {
      const double start = wall_seconds();
      engine.answer(i, 1, kMost);
      single.push_back((wall_seconds() - start) * 1e3);
    }
    std::vector<double> wall;
    std::vector<double> cpu;
    std::vector<Answer> answers;
    for (std::uint32_t i = 0; i < arguments_.repeat; ++i) {
      const ProcessCosts before = process_costs();
      answers = engine.answer(0, engine.queries, kMost);
      const ProcessCosts after = process_costs();
      wall.push_back(after.seconds - before.seconds);
      cpu.push_back(after.cpu_seconds - before.cpu_seconds);
    }
    if (engine.exact) compare(engine, answers);
    const double scale = 1024.0 / engine.queries;
    Row row;
    row.text("data", kind_.name).text("engine", engine.name);
    row.number("threads", engine.threads).number("queries", engine.queries);
    row.number("build CPU s", engine.build_cpu_seconds, 1);
    row.number("bytes/object", static_cast<double>(engine.bytes) / signatures_.objects(), 0);
    row.number("one query ms", median(single), 3);
    row.number("1024 queries s", median(wall) * scale, 3);
    row.number("CPU s", median(cpu) * scale, 3);
    row.number("recall@10", recall(answers), 4);
    row.text("paper's s, Titan X", engine.published);
    Options shown;
    shown.json = arguments_.json;
    row.print(shown);
  }

  // With the answers of the row before: the timed ones, as far as both were asked, and some with
  // strangers among them.
  void compare(const Engine& engine, const std::vector<Answer>& timed) {
    std::vector<Answer> many = engine.answer(0, std::min(kCompared, sample_), kMostCompared);
    const std::size_t both = std::min(timed.size(), timed_.size());
    const bool first = many_.empty();
    if (!first &&
        (many != many_ || !std::equal(timed.begin(), timed.begin() + both, timed_.begin()))) {
      fmt::print(stderr, "{}, {}: not the answers of the row before\n", kind_.name, engine.name);
      same_ = false;
    }
    timed_ = timed;
    many_ = std::move(many);
  }

  double recall(const std::vector<Answer>& answers) const {
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < answers.size(); ++i) {
      for (std::size_t j = 0; j < kNeighbours.size(); ++j) {
        const std::uint32_t neighbour = signatures_.neighbour(i, j);
        found += std::ranges::count(answers[i], neighbour, &MatchedObject::object) != 0 ? 1 : 0;
      }
    }
    return static_cast<double>(found) / static_cast<double>(answers.size() * kNeighbours.size());
  }

  Arguments arguments_;
  Kind kind_;
  Signatures<Value> signatures_;
  std::uint32_t sample_;
  std::vector<std::vector<KeywordRange>> items_;  // by query
  std::vector<Answer> timed_;                     // of the row before
  std::vector<Answer> many_;                      // the same, of kMostCompared objects
  bool same_ = true;
};

int run(const Arguments& arguments) {
  bool same = true;
  for (const Kind& kind : kKinds) {
    if (std::string_view(kind.name).find(arguments.only) == std::string_view::npos) continue;
    same = (kind.range <= 256 ? KindBench<std::uint8_t>(arguments, kind).run()
                              : KindBench<std::uint16_t>(arguments, kind).run()) &&
           same;
  }
  return same ? 0 : 1;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  using neardup::bench::kBandRows;
  using neardup::bench::kMostFunctions;
  neardup::bench::Arguments arguments;
  CLI::App app("Match-counts over long postings, as in GENIE, and their rivals.");
  app.add_option("--documents", arguments.documents, "Objects; default: as in the paper's data");
  app.add_option("--functions", arguments.functions,
                 "Values of an object; default 237, the paper's")
      ->check(CLI::Range(kBandRows, kMostFunctions));
  app.add_option("--queries", arguments.queries, "Queries; default 1024")
      ->check(CLI::PositiveNumber);
  app.add_option("--sample", arguments.sample, "Queries of the slow rivals, scaled; default 16")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeat", arguments.repeat, "Timed repetitions; default 3")
      ->check(CLI::PositiveNumber);
  app.add_option("--only", arguments.only, "OCR, SIFT or \"8 bits\"; default all");
  app.add_flag("--json", arguments.json, "One JSON object a row");
  CLI11_PARSE(app, argc, argv);
  if (arguments.documents != 0 && arguments.documents / 10 < arguments.queries) {
    fmt::print(stderr, "each query has ten neighbours: more --documents or fewer --queries\n");
    return 64;
  }
  return neardup::bench::run(arguments);
}
