#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "gpu/backends.h"
#include "pipeline/core/failure.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_keys.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/cli/signals.h"
#include "service/commands/commands.h"
#include "service/file/file_source.h"
#include "service/file/text_file.h"
#include "service/search/answer_text.h"
#include "service/search/batch_search.h"
#include "service/search/engines.h"
#include "service/search/query_decoder.h"

namespace neardup {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kQueriesAtOnce = 1024;

SearchOptions search_options(const CommandLine& line, const Config& config) {
  SearchOptions options = config.search;
  if (const auto name = one_of(line, "--engine", kEngineNameNames)) {
    options.engine = static_cast<EngineName>(*name);
  }
  return options;
}

SimilarOptions options_of(const CommandLine& line, const Config& config) {
  SimilarOptions options;
  options.candidates = config.search.candidates;
  options.k =
      static_cast<std::uint32_t>(whole_number(line, "--top", 1, kMostHits).value_or(options.k));
  options.min_similarity = similarity(line, "--min-similarity").value_or(options.min_similarity);
  return options;
}

// JSON Lines, compressed or not; any other file is one text.
bool holds_lines(const std::string& path) {
  if (path == "-") return true;
  return std::ranges::any_of(std::array{".jsonl", ".jsonl.gz", ".jsonl.zst"},
                             [&](const char* end) { return path.ends_with(end); });
}

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A state that is searched under its rule.
class Searched {
 public:
  Searched(const CommandLine& line, Store& store, const Rule& rule, const Config& config)
      : options_(options_of(line, config)),
        store_(store),
        rule_(rule),
        engine_(open_engine(search_options(line, config), existing_state_path(line), store, rule_,
                            config.cpu)),
        search_(rule_, *engine_, config.cpu),
        batches_(store_, rule_, search_, options_, line.one("--namespace").value_or("")),
        table_(!line.has("--json") && isatty(STDOUT_FILENO) != 0) {
    store_.set_index(IndexEntryMaker(rule_.plan));
    store_.sketches();  // opening the state takes no time of the first search
  }

  void answer_id(const std::string& id) {
    const auto start = Clock::now();
    const SearchReply reply = batches_.reply(id);
    if (!reply.answer) throw Failure(Exit::kUsage, reply.error);
    print(*reply.answer, scope(start));
  }

  void answer_text(const SketchedBatch& batch) {
    const auto start = Clock::now();
    const std::vector<SearchReply> replies = batches_.replies(batch);
    if (!replies.front().answer) throw Failure(Exit::kUnreadable, replies.front().error);
    print(*replies.front().answer, scope(start));
  }

  // Prints a line for each record. Returns how many have an answer.
  std::size_t answer_lines(const SketchedBatch& batch) {
    const auto start = Clock::now();
    const std::vector<SearchReply> replies = batches_.replies(batch);
    const AnswerScope scope = this->scope(start);
    std::size_t answered = 0;
    for (const SearchReply& reply : replies) {
      answered += reply.answer ? 1 : 0;
      fmt::print("{}\n",
                 reply.answer ? answer_json(*reply.answer, scope) : error_json(reply.error));
    }
    return answered;
  }

 private:
  AnswerScope scope(Clock::time_point start) {
    const std::int64_t next = meta_number(store_, kMetaNextSeq, 1);
    return {static_cast<Seq>(next - 1), milliseconds_since(start)};
  }
  void print(const SimilarAnswer& answer, const AnswerScope& scope) {
    if (table_) {
      fmt::print("{}", answer_table(answer, options_, scope));
    } else {
      fmt::print("{}\n", answer_json(answer, scope));
    }
  }

  SimilarOptions options_;
  Store& store_;
  Rule rule_;
  std::unique_ptr<SearchEngine> engine_;
  SimilarSearch search_;
  BatchSearch batches_;
  bool table_;
};

// The rule of the state, with the seed of the configuration: buckets of LSH depend on it.
Rule seeded_rule(Store& store, const Config& config) {
  const Rule rule = make_rule(config);
  stored_rule(store);  // throws for a state without one
  require_same_rule(store, rule);
  return rule;
}

void search_id(const CommandLine& line, Store& store, const Config& config) {
  const bool lsh = search_options(line, config).engine == EngineName::kLsh;
  const Rule rule = lsh ? seeded_rule(store, config) : stored_rule(store);
  Searched(line, store, rule, config).answer_id(*line.one("--id"));
}

// One text, or one on each line.
int search_file(const CommandLine& line, Store& store, const Config& config,
                const std::string& path) {
  const Rule rule = seeded_rule(store, config);
  const auto backend = make_backend(config.backend_options(), rule.plan);
  Searched searched(line, store, rule, config);
  SketchedBatch batch;
  if (!holds_lines(path)) {
    auto decoder = std::make_unique<TextDecoder>(rule.text);
    const RawChunk chunk = text_chunk(read_text_file(path, rule.text.max_bytes));
    Preparer(rule, config.cpu.simd, std::move(decoder), *backend).prepare(chunk, batch);
    searched.answer_text(batch);
    return 0;
  }
  const std::atomic<bool>& stop = stop_requested();
  FileSource source({path}, {}, {config.input.max_record_bytes, false, false, &stop});
  Preparer preparer(rule, config.cpu.simd,
                    std::make_unique<QueryDecoder>(config.input, config.text), *backend);
  RawChunk chunk;
  std::size_t asked = 0;
  std::size_t answered = 0;
  while (!stop && source.read(kQueriesAtOnce, config.batch.max_bytes, chunk)) {
    preparer.prepare(chunk, batch);
    asked += batch.size();
    answered += searched.answer_lines(batch);
  }
  if (asked == 0 || answered != 0) return stop_status();
  throw Failure(
      Exit::kUnreadable,
      fmt::format("{}: none of {} queries has an answer; the lines tell why", path, asked));
}

}  // namespace

int run_similar(const CommandLine& line) {
  const auto path = line.one("FILE");
  if (path.has_value() == line.has("--id")) {
    throw Failure(Exit::kUsage, "give either --id ID or FILE (- for queries on standard input)");
  }
  const Config config = load_configuration(line, ConfigUse::kKeptState);
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  if (path) return search_file(line, *store, config, *path);
  search_id(line, *store, config);
  return 0;
}

}  // namespace neardup
