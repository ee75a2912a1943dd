#include <fmt/core.h>

#include <chrono>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/signals.h"
#include "pipeline/items/item_search.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/file/file_source.h"
#include "service/search/item_lines.h"
#include "storage/control_group.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMostHits = 10'000;
constexpr std::size_t kQueriesAtOnce = 1024;
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{16} << 20;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string place_of(const std::string& path, const RawRecord& record) {
  return fmt::format("{}:{}", path == "-" ? "standard input" : path, record.source.place);
}

// Why a line cannot be used; empty: it is in `item`.
std::string read_line(const RawRecord& record, ItemReader& reader, Item& item) {
  if (record.faulty) return std::string(record.bytes);
  if (record.too_large) {
    return fmt::format("a line of {} bytes, more than input.max_record_bytes", record.size);
  }
  return reader.read(record.bytes, item);
}

FileSource open_lines(const std::string& path, const Config& config,
                      const std::atomic<bool>& stop) {
  return {{path}, {}, {.max_record_bytes = config.input.max_record_bytes, .stop = &stop}};
}

void add_items(const std::string& path, const Config& config, const std::atomic<bool>& stop,
               ItemSearch& search) {
  FileSource source = open_lines(path, config, stop);
  ItemReader reader(search.schema(), ItemReader::Of::kItems);
  Item item;
  read_records(source, stop, [&](const RawRecord& record) {
    const std::string problem = read_line(record, reader, item);
    if (!problem.empty())
      throw Failure(Exit::kUnreadable, fmt::format("{}: {}", place_of(path, record), problem));
    search.add(item);
    return true;
  });
  if (!stop && search.items() == 0)
    throw Failure(Exit::kUnreadable, fmt::format("{}: there are no items", path));
}

struct Counts {
  std::uint64_t queries = 0;
  std::uint64_t answered = 0;
  std::uint64_t certain = 0;
  std::uint64_t by_candidates = 0;
  double seconds = 0;  // of searching
  double cpu_seconds = 0;
};

// The answers to the lines of a chunk, one for each.
std::vector<std::string> answers_to(const RawChunk& chunk, const std::string& path,
                                    const ItemSearch& search, ItemReader& reader,
                                    const ItemSearchOptions& options, Counts& counts) {
  std::vector<std::string> lines(chunk.records.size());
  std::vector<Item> queries;
  std::vector<std::size_t> places;  // of the queries among the lines
  for (std::size_t i = 0; i < chunk.records.size(); ++i) {
    Item query;
    std::string problem = read_line(chunk.records[i], reader, query);
    if (problem.empty()) problem = search.refusal(query).value_or("");
    if (!problem.empty()) {
      lines[i] =
          JsonObject()
              .text("error", fmt::format("{}: {}", place_of(path, chunk.records[i]), problem))
              .str();
      continue;
    }
    queries.push_back(std::move(query));
    places.push_back(i);
  }
  const auto begin = Clock::now();
  const std::clock_t cpu_begin = std::clock();
  const std::vector<ItemAnswer> answers = search.search(queries, options);
  counts.seconds += seconds_since(begin);
  counts.cpu_seconds += static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    lines[places[i]] = answer_json(answers[i], search);
    counts.certain += answers[i].certain ? 1 : 0;
    counts.by_candidates += answers[i].by_candidates ? 1 : 0;
  }
  counts.queries += lines.size();
  counts.answered += answers.size();
  return lines;
}

void answer_queries(const std::string& path, const Config& config, const std::atomic<bool>& stop,
                    const ItemSearch& search, const ItemSearchOptions& options, Counts& counts) {
  FileSource source = open_lines(path, config, stop);
  ItemReader reader(search.schema(), ItemReader::Of::kQueries);
  RawChunk chunk;
  while (!stop && source.read(kQueriesAtOnce, kBytesAtOnce, chunk)) {
    for (const std::string& line : answers_to(chunk, path, search, reader, options, counts))
      fmt::print("{}\n", line);
  }
}

ItemSearchOptions options_of(const CommandLine& line, const Config& config) {
  ItemSearchOptions options;
  options.k =
      static_cast<std::uint32_t>(whole_number(line, "--top", 1, kMostHits).value_or(options.k));
  options.threads = thread_count(config.cpu.threads);
  options.exact = !line.has("--candidates");
  options.candidates =
      static_cast<std::uint32_t>(whole_number(line, "--candidates", 1, kMostHits).value_or(0));
  if (const auto most = whole_number(line, "--max-distance", 0, kMostCharacters))
    options.max_distance = static_cast<double>(*most);
  return options;
}

void print_summary(const ItemSearch& search, const Counts& counts, double read_seconds) {
  fmt::print(stderr, "neardup: {} items in {:.2f} s; {} queries in {:.3f} s, CPU {:.3f} s",
             search.items(), read_seconds, counts.queries, counts.seconds, counts.cpu_seconds);
  if (counts.answered != counts.queries)
    fmt::print(stderr, ", {} without an answer", counts.queries - counts.answered);
  fmt::print(stderr, "; {} answers certain, {} of them by their first candidates\n", counts.certain,
             counts.by_candidates);
}

}  // namespace

int run_search(const CommandLine& line) {
  const std::atomic<bool>& stop = stop_requested();
  const auto schema_path = line.one("--schema");
  const auto items_path = line.one("--items");
  if (!schema_path || !items_path)
    throw Failure(Exit::kUsage, "give --schema FILE, --items FILE and a file of queries");
  const std::string queries = line.one("QUERIES").value_or("-");
  if (*items_path == "-" && queries == "-")
    throw Failure(Exit::kUsage, "standard input is read once: give items or queries as a file");
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const ItemSearchOptions options = options_of(line, config);
  const auto begin = Clock::now();
  ItemSearch search(read_schema(*schema_path));
  add_items(*items_path, config, stop, search);
  if (stop) return stop_status();
  search.finish(options.threads);
  const double read_seconds = seconds_since(begin);
  Counts counts;
  answer_queries(queries, config, stop, search, options, counts);
  if (stop) return stop_status();
  print_summary(search, counts, read_seconds);
  if (counts.queries == 0 || counts.answered != 0) return 0;
  throw Failure(Exit::kUnreadable,
                fmt::format("{}: none of {} queries has an answer; each line says why", queries,
                            counts.queries));
}

}  // namespace neardup
