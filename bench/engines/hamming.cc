// Nearest neighbours among packed strings of bits, in the setting of the paper of error weighted
// hashing (EWH): 4 M strings of 512 bits, here with planted neighbours. Its methods are locality
// sensitive hashing and error weighted hashing with 4 functions of 4 bits each; ours have keywords
// of 20 bits, or none at all.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/engines/bit_keywords.h"
#include "bench/engines/device_strings.h"
#include "bench/engines/hashed_strings.h"
#include "bench/engines/planted.h"
#include "bench/runner.h"
#include "gpu/backends.h"
#include "gpu/search/match_count.h"
#include "gpu/search/row_scan.h"
#include "gpu/search_devices.h"
#include "pipeline/base/in_threads.h"

namespace neardup::bench {
namespace {

constexpr std::size_t kTimedAlone = 100;  // queries that are timed one by one
constexpr std::uint32_t kCores = 2;       // next to a GPU

struct Arguments {
  std::uint32_t documents = 4'000'000;
  std::uint32_t bits = 512;
  std::uint32_t queries = 1024;
  std::uint64_t device_memory = std::uint64_t{4} << 30;  // bytes, for the strings of `scan`
  std::string data;  // a folder for the strings; empty: they are not written
  std::string only;
  bool json = false;
};

// The seconds of the paper for a method, on its machine; 0: it has no such row.
struct PaperSeconds {
  double hashing = 0;
  double query = 0;
};

struct Method {
  std::string name;
  std::uint32_t functions = 4;
  std::uint32_t bits = 4;
  KeywordScores scores;
  PaperSeconds paper;
  // How two threads work: each with its share of the tables, or of the queries.
  bool shares_tables = false;
};

using Answers = std::vector<std::vector<NearSeq>>;

// Of all neighbours, and then by similarity.
std::vector<double> recalls(const PlantedView& view, const Answers& answers) {
  if (answers.empty()) return std::vector<double>(kPlanted.size() + 1, std::nan(""));
  std::vector<double> shares(kPlanted.size() + 1);
  for (std::uint32_t i = 0; i < answers.size(); ++i) {
    for (std::size_t j = 0; j < kPlanted.size(); ++j) {
      const bool found = std::ranges::count(answers[i], view.neighbour(i, j), &NearSeq::seq) != 0;
      shares[j + 1] += found ? 1.0 / static_cast<double>(answers.size()) : 0;
    }
  }
  for (std::size_t j = 1; j < shares.size(); ++j) {
    shares[0] += shares[j] / static_cast<double>(kPlanted.size());
  }
  return shares;
}

// By method. One on several threads or on a GPU has the answers of the first row.
using Known = std::map<std::string, Answers>;

struct Figures {
  double hashing = 0;   // seconds
  double bytes = 0;     // of a string
  double alone = 0;     // milliseconds of one query
  double together = 0;  // seconds of all queries at once
  const char* on = "";  // what is not told by the number of threads
};

// threads 0: a GPU. Throws std::runtime_error when the answers are not the known ones.
void print(const PlantedView& view, const std::string& name, std::uint32_t threads,
           const Figures& figures, const Answers& answers, const PaperSeconds& paper, bool json,
           Known& known) {
  if (known.try_emplace(name, answers).first->second != answers) {
    throw std::runtime_error(name + ": not the answers of the row before");
  }
  const std::vector<double> shares = recalls(view, answers);
  Row row;
  row.text("method", name + (threads == 0 ? ", GPU" : figures.on)).number("threads", threads);
  row.number("hashing s", figures.hashing, 3).number("bytes/string", figures.bytes, 1);
  row.number("one query ms", figures.alone, 3).number("all at once s", figures.together, 3);
  row.number("recall", shares[0], 4);
  for (const std::size_t j : {6u, 7u, 8u, 9u}) {
    row.number("J " + std::to_string(kPlanted[j]).substr(0, 3), shares[j + 1], 3);
  }
  row.number("paper: hashing s", paper.hashing, 1).number("query s", paper.query, 1);
  Options shown;
  shown.json = json;
  row.print(shown);
}

// The queries one by one, with all threads on each where the method shares its tables.
double time_alone(const HashedStrings& hashed, const Method& method, std::uint32_t threads,
                  std::vector<MatchCounter>& counters, std::uint32_t queries) {
  std::vector<double> times;
  const std::uint32_t workers = method.shares_tables ? threads : 1;
  for (std::uint32_t i = 0; i < std::min<std::size_t>(queries, kTimedAlone); ++i) {
    const double start = wall_seconds();
    std::vector<Shortlist> found(workers, Shortlist(kNearest));
    in_threads(workers, [&](std::size_t thread) {
      const auto bound = [&](std::size_t part) {
        return static_cast<std::uint32_t>(method.functions * part / workers);
      };
      found[thread] = hashed.search(i, bound(thread), bound(thread + 1), counters[thread]);
    });
    for (std::uint32_t thread = 1; thread < workers; ++thread) found[0].merge(found[thread]);
    times.push_back((wall_seconds() - start) * 1e3);
  }
  return median(times);
}

void measure(const PlantedView& view, const Arguments& arguments, const Method& method,
             std::uint32_t threads, Known& known) {
  const auto count = static_cast<std::uint32_t>(view.end() - 1);
  const BitKeywords keywords(arguments.bits, method.functions, method.bits, method.bits < 16);
  Figures figures;
  const double start = wall_seconds();
  const HashedStrings hashed(view, keywords, method.scores, threads);
  figures.hashing = wall_seconds() - start;
  figures.bytes = static_cast<double>(hashed.bytes()) / count;
  std::vector<MatchCounter> counters(threads, hashed.counter());
  figures.alone = time_alone(hashed, method, threads, counters, view.queries());
  Answers answers(view.queries());
  const double together = wall_seconds();
  in_threads(threads, [&](std::size_t thread) {
    for (auto i = static_cast<std::uint32_t>(thread); i < view.queries(); i += threads) {
      answers[i] = hashed.search(i, 0, method.functions, counters[thread]).finish();
    }
  });
  figures.together = wall_seconds() - together;
  print(view, method.name, threads, figures, answers, method.paper, arguments.json, known);
}

// answer(from, to): the answers of these queries.
template <class Answer>
Answers time_queries(const PlantedView& view, Figures& figures, const Answer& answer) {
  std::vector<double> alone;
  for (std::uint32_t i = 0; i < std::min<std::size_t>(view.queries(), kTimedAlone); ++i) {
    const double start = wall_seconds();
    answer(i, i + 1);
    alone.push_back((wall_seconds() - start) * 1e3);
  }
  figures.alone = median(alone);
  const double start = wall_seconds();
  Answers answers = answer(0, view.queries());
  figures.together = wall_seconds() - start;
  return answers;
}

void measure_scan(const PlantedView& view, const Arguments& arguments, std::uint32_t threads,
                  Known& known) {
  const RowScan scan{{}};
  const auto search = [&](std::uint32_t from, std::uint32_t to, Seq begin, Seq end) {
    std::vector<RowQuery> queries;
    for (std::uint32_t i = from; i < to; ++i) {
      queries.push_back({view.query_one_bit(i), namespace_tag(""), 0, Shortlist(kNearest)});
    }
    const RowQueries row_queries(queries, view.one_bit_words());
    view.visit(begin, end, [&](const SketchBlock& block) {
      scan.add(block, row_queries);
      return true;
    });
    return queries;
  };
  // Threads share the rows.
  const auto nearest = [&](std::uint32_t from, std::uint32_t to) {
    std::vector<std::vector<RowQuery>> parts(threads);
    in_threads(threads, [&](std::size_t i) {
      parts[i] = search(from, to, view.end() * i / threads, view.end() * (i + 1) / threads);
    });
    for (std::uint32_t i = 1; i < threads; ++i) {
      for (std::size_t q = 0; q < parts[i].size(); ++q) {
        parts[0][q].nearest.merge(parts[i][q].nearest);
      }
    }
    return std::move(parts[0]);
  };
  Figures figures;
  const Answers answers = time_queries(view, figures, [&](std::uint32_t from, std::uint32_t to) {
    Answers found;
    for (RowQuery& query : nearest(from, to)) found.push_back(query.nearest.finish());
    return found;
  });
  print(view, "scan", threads, figures, answers, {}, arguments.json, known);
}

void scan_on_device(const PlantedView& view, const Arguments& arguments, Known& known) {
  const auto rows = make_device_rows({0, arguments.device_memory}, view.one_bit_words());
  const auto blocks_from = [&](Seq from) {
    return [&view, from](const auto& take) { view.visit(from, view.end(), take); };
  };
  Figures figures;
  const double start = wall_seconds();
  const Seq end = rows->follow(blocks_from(0));
  figures.hashing = wall_seconds() - start;  // copying
  const Answers answers = time_queries(view, figures, [&](std::uint32_t from, std::uint32_t to) {
    std::vector<RowQuery> queries;
    for (std::uint32_t i = from; i < to; ++i) {
      queries.push_back({view.query_one_bit(i), namespace_tag(""), 0, Shortlist(kNearest)});
    }
    rows->search(blocks_from(end), queries);
    Answers found;
    for (RowQuery& query : queries) found.push_back(query.nearest.finish());
    return found;
  });
  print(view, "scan", 0, figures, answers, {}, arguments.json, known);
}

// With fewer bits a keyword a query finds a large part of all strings: comparing all takes less.
constexpr std::uint32_t kLeastQueryBits = 16;

std::unique_ptr<DeviceStrings> strings_on_device(const PlantedView& view,
                                                 const BitKeywords& keywords,
                                                 const Method& method) {
  return make_device_strings(
      {view.one_bit(1), static_cast<std::uint32_t>(view.end() - 1), view.one_bit_words()}, keywords,
      keyword_probes(method.bits, method.scores.errors, method.scores.heaviest));
}

void nearest_on_device(const PlantedView& view, DeviceStrings& device, const Method& method,
                       std::uint32_t from, std::uint32_t to, std::vector<NearSeq>* answers) {
  const BitStrings queries{view.query_one_bit(from), to - from, view.one_bit_words()};
  for (Shortlist& list : device.nearest(queries, method.scores.gate, kNearest)) {
    *answers++ = list.finish();
  }
}

void hash_on_device(const PlantedView& view, const Arguments& arguments, const Method& method,
                    Known& known) {
  const BitKeywords keywords(arguments.bits, method.functions, method.bits, method.bits < 16);
  const auto device = strings_on_device(view, keywords, method);
  Figures figures;
  std::vector<double> hashing;
  for (int i = 0; i < 5; ++i) hashing.push_back(device->hash());
  figures.hashing = median(hashing);
  Answers answers;
  if (method.bits >= kLeastQueryBits) {
    answers = time_queries(view, figures, [&](std::uint32_t from, std::uint32_t to) {
      Answers found(to - from);
      nearest_on_device(view, *device, method, from, to, found.data());
      return found;
    });
  }
  print(view, method.name, 0, figures, answers, method.paper, arguments.json, known);
}

// The paper's CUDA and OpenMP together: a thread hands queries to the device, the others search on
// cores, and each takes the next ones when it has answered its own.
void share_with_device(const PlantedView& view, const Arguments& arguments, const Method& method,
                       std::uint32_t cores, Known& known) {
  constexpr std::uint32_t kOfDevice = 128;
  constexpr std::uint32_t kOfCore = 4;
  const BitKeywords keywords(arguments.bits, method.functions, method.bits, method.bits < 16);
  const auto device = strings_on_device(view, keywords, method);
  Figures figures;
  const double start = wall_seconds();
  auto hashing = std::async(std::launch::async, [&] { device->hash(); });
  const HashedStrings hashed(view, keywords, method.scores, cores);
  hashing.get();
  figures.hashing = wall_seconds() - start;
  figures.on = ", GPU and cores";
  std::vector<MatchCounter> counters(cores, hashed.counter());
  Answers answers(view.queries());
  std::atomic<std::uint32_t> next{0};
  const double together = wall_seconds();
  in_threads(cores + 1, [&](std::size_t thread) {
    const std::uint32_t step = thread == cores ? kOfDevice : kOfCore;
    for (std::uint32_t from; (from = next.fetch_add(step)) < view.queries();) {
      const std::uint32_t to = std::min(from + step, view.queries());
      if (thread == cores) nearest_on_device(view, *device, method, from, to, &answers[from]);
      for (std::uint32_t i = from; thread < cores && i < to; ++i)
        answers[i] = hashed.search(i, 0, method.functions, counters[thread]).finish();
    }
  });
  figures.together = wall_seconds() - together;
  print(view, method.name, cores, figures, answers, method.paper, arguments.json, known);
}

// Rows, queries and the places of their neighbours, as other programs read them.
void write_data(const PlantedView& view, const std::string& folder) {
  const auto put = [&](const char* name, const void* bytes, std::size_t size) {
    std::ofstream file(std::filesystem::path(folder) / name, std::ios::binary);
    file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    if (!file.flush()) throw std::runtime_error(folder + " cannot be written");
  };
  const std::size_t row = view.one_bit_words() * sizeof(std::uint64_t);
  put("rows", view.one_bit(1), (view.end() - 1) * row);
  put("queries", view.query_one_bit(0), view.queries() * row);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < view.queries(); ++i) {
    for (std::size_t j = 0; j < kPlanted.size(); ++j) {
      places.push_back(static_cast<std::uint32_t>(view.neighbour(i, j) - 1));
    }
  }
  put("neighbours", places.data(), places.size() * sizeof(std::uint32_t));
}

// The paper's rows on CPUs: sequential ones, and LSH over 4 processes.
std::vector<Method> methods(std::uint32_t bits) {
  const std::uint32_t functions = bits / 20;
  return {
      {"LSH 4 x 4 bits", 4, 4, {0, 1, 1}, {26.6, 19.3}},
      {"LSH 4 x 4 bits, tables shared", 4, 4, {0, 1, 1}, {10.5, 6.4}, true},
      {"EWH 4 x 4 bits, e 2, s 11", 4, 4, {2, 4, 11}, {26.9, 7.6}},
      {"EWH 4 x 4 bits, e 2, s 9", 4, 4, {2, 4, 9}, {}},
      {"EWH " + std::to_string(functions) + " x 20 bits, e 2, s 1", functions, 20, {2, 3, 1}, {}},
      {"EWH " + std::to_string(functions) + " x 20 bits, e 2, s 4 of 4",
       functions,
       20,
       {2, 4, 4},
       {}},
  };
}

int run(const Arguments& arguments) {
  const PlantedView view(arguments.documents, arguments.bits, arguments.queries);
  if (!arguments.data.empty()) write_data(view, arguments.data);
  Known known;
  const auto wants = [&](std::string_view name) { return name.find(arguments.only) != name.npos; };
  for (const std::uint32_t threads : {1u, 2u}) {
    if (wants("scan")) measure_scan(view, arguments, threads, known);
    for (const Method& method : methods(arguments.bits)) {
      if (!wants(method.name) || (method.shares_tables && threads == 1)) continue;
      measure(view, arguments, method, threads, known);
    }
  }
  if (const std::string why_not = why_no_gpu({}); !why_not.empty()) {
    fmt::print(stderr, "no rows of a GPU: {}\n", why_not);
    return 0;
  }
  if (wants("scan, GPU")) scan_on_device(view, arguments, known);
  std::vector<Method> on_device = methods(arguments.bits);
  std::erase_if(on_device, [](const Method& method) { return method.bits < kLeastQueryBits; });
  on_device.push_back({"hashing 4 x 4 bits", 4, 4, {0, 1, 1}, {0.7, 0.8}});
  for (const Method& method : on_device) {
    if (wants(method.name + ", GPU")) hash_on_device(view, arguments, method, known);
    if (method.bits >= kLeastQueryBits && wants(method.name + ", GPU and cores"))
      share_with_device(view, arguments, method, kCores, known);
  }
  return 0;
}

}  // namespace
}  // namespace neardup::bench

int main(int argc, char** argv) {
  neardup::bench::Arguments arguments;
  CLI::App app("Nearest neighbours among strings of bits, in the setting of the paper of EWH.");
  app.add_option("--documents", arguments.documents, "Strings; default 4000000");
  app.add_option("--bits", arguments.bits, "Bits of a string; default 512");
  app.add_option("--queries", arguments.queries, "Queries; default 1024");
  app.add_option("--only", arguments.only, "Methods whose name contains this: scan, LSH, EWH, GPU");
  app.add_option("--device-memory", arguments.device_memory,
                 "Bytes of a GPU that the scan may take; default 4 GiB")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--data", arguments.data, "Write the strings into this folder, for `peers`");
  app.add_flag("--json", arguments.json, "One JSON object a row");
  CLI11_PARSE(app, argc, argv);
  return neardup::bench::run(arguments);
}
