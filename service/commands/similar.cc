#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/base/signals.h"
#include "pipeline/base/utf8.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_keys.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/commands/state_settings.h"
#include "service/control/client.h"
#include "service/control/search_request.h"
#include "service/file/file_source.h"
#include "service/file/text_file.h"
#include "service/records/notice_words.h"
#include "service/records/record_checks.h"
#include "service/search/answer_text.h"
#include "service/search/engines.h"
#include "service/search/search_answers.h"

namespace neardup {
namespace {

// JSON Lines, compressed or not; any other file is one text.
bool holds_lines(const std::string& path) {
  if (path == "-") return true;
  return std::ranges::any_of(std::array{".jsonl", ".jsonl.gz", ".jsonl.zst"},
                             [&](const char* end) { return path.ends_with(end); });
}

// What all requests of a run have in common.
SearchRequest request_of(const CommandLine& line, const Config& config, AskedBy by) {
  SearchRequest request;
  request.by = by;
  request.name_space = line.one("--namespace").value_or("");
  request.engine = config.search.engine;
  if (const auto name = one_of(line, "--engine", kEngineNameNames)) {
    request.engine = static_cast<EngineName>(*name);
  }
  const SimilarOptions usual;
  request.k =
      static_cast<std::uint32_t>(whole_number(line, "--top", 1, kMostHits).value_or(usual.k));
  request.min_similarity = similarity(line, "--min-similarity").value_or(usual.min_similarity);
  request.table = by != AskedBy::kLines && !line.has("--json") && isatty(STDOUT_FILENO) != 0;
  return request;
}

// Buckets of LSH and sketches of texts depend on the seed.
void require_seed_for(const SearchRequest& request, const Rule& rule) {
  if (request.engine == EngineName::kLsh) require_seed(rule, "the engine lsh");
  if (request.by != AskedBy::kId) require_seed(rule, "a search for a text");
}

// Answers of a state that this process has opened for reading.
class StateAnswers {
 public:
  // The references must outlive this.
  StateAnswers(const CommandLine& line, Store& store, const StateSettings& settings,
               const SearchRequest& like, NoticeCounts& notices)
      : store_(store),
        rule_(settings.rule),
        engine_(engine_for(line, settings.config, like)),
        answers_(store_, rule_, settings.config, settings.config.cpu,
                 [&notices](const NoticeCounts& more) { add_notices(more, notices); }) {
    store_.set_index(IndexEntryMaker(rule_.plan));
    store_.sketches();  // opening takes no time of the first search
  }

  std::string answer(const SearchRequest& request) const {
    return answers_.answer(request, *engine_);
  }

 private:
  std::unique_ptr<SearchEngine> engine_for(const CommandLine& line, const Config& config,
                                           const SearchRequest& like) {
    SearchOptions options = config.search;
    options.engine = like.engine;
    const SearchMachine machine{
        config.cpu, search_device(config.backend_options(), config.search.memory),
        [](const std::string& failure) {
          fmt::print(stderr, "neardup: warning: the GPU has failed, the CPU searches: {}\n",
                     failure);
        }};
    return open_engine(options, existing_state_path(line), store_, rule_, machine);
  }

  Store& store_;
  const Rule& rule_;
  std::unique_ptr<SearchEngine> engine_;
  SearchAnswers answers_;
};

// Answers from the service that holds the state, or else from the state itself.
class Answers {
 public:
  explicit Answers(const CommandLine& line) : line_(line) {}

  // Those for the rule of the state.
  const Config& config() { return settings().config; }

  std::string to(const SearchRequest& request) {
    if (!opened_) {
      if (auto answer = ask_for_similar(existing_state_path(line_), request)) {
        count_broken(request);
        return std::move(*answer);
      }
      require_seed_for(request, settings().rule);
      opened_.emplace(line_, store(), settings(), request, notices_);
    }
    return opened_->answer(request);
  }

  // What was not understood here. A service counts the rest of what it answers, too.
  void print_notices() const { fmt::print(stderr, "{}", notice_text(notices_)); }

 private:
  // Broken bytes become U+FFFD in the request, so that a service does not see them.
  void count_broken(const SearchRequest& request) {
    std::string_view rest = request.what;
    while (!rest.empty()) {
      const std::size_t line = std::min(rest.find('\n'), rest.size() - 1) + 1;
      const std::size_t size = request.by == AskedBy::kLines ? line : rest.size();
      if (!valid_utf8(rest.substr(0, size)))
        add_notices(one_notice(NoticeKind::kReplacedBytes), notices_);
      rest.remove_prefix(size);
    }
  }
  const StateSettings& settings() {
    if (settings_) return *settings_;
    const auto asked = ask_for_rule(existing_state_path(line_));
    settings_ =
        settings_for(line_, ConfigUse::kKeptState, asked ? *asked : stored_rule_text(store()));
    return *settings_;
  }
  Store& store() {
    if (!store_) store_ = open_existing_state(line_, OpenMode::kReadOnly);
    return *store_;
  }

  const CommandLine& line_;
  NoticeCounts notices_{};
  std::unique_ptr<Store> store_;
  std::optional<StateSettings> settings_;
  std::optional<StateAnswers> opened_;
};

std::string why_too_large(const RawRecord& raw, const InputOptions& input) {
  Record record;
  reject_too_large(record, raw, input);
  return error_json(record.detail) + '\n';
}

// The answers to the lines of a chunk, one for each.
std::vector<std::string> answers_to(const RawChunk& chunk, const InputOptions& input,
                                    SearchRequest& request, Answers& answers) {
  request.what.clear();
  for (const RawRecord& record : chunk.records) {
    if (!record.too_large) (request.what += record.bytes) += '\n';
  }
  const std::string lines = request.what.empty() ? "" : answers.to(request);
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (const RawRecord& record : chunk.records) {
    if (record.too_large) {
      all.push_back(why_too_large(record, input));
      continue;
    }
    const std::size_t end = lines.find('\n', begin) + 1;
    all.push_back(lines.substr(begin, end - begin));
    begin = end;
  }
  return all;
}

// Prints a line for each query, in the order of the input.
int answer_lines(const Config& config, const std::string& path, SearchRequest request,
                 Answers& answers) {
  const std::atomic<bool>& stop = stop_requested();
  std::vector<RecordField> fields = record_fields(config.input);
  for (RecordField& field : fields) field.required = false;  // a query has an id or a text
  FileSource source({path}, {},
                    {.max_record_bytes = config.input.max_record_bytes,
                     .stop = &stop,
                     .fields = std::move(fields)});
  const PieceLimits pieces = pieces_of(kMostHitsAtOnce, request.k);
  RawChunk chunk;
  std::size_t asked = 0;
  std::size_t answered = 0;
  while (!stop && source.read(pieces.lines, pieces.bytes, chunk)) {
    for (const std::string& answer : answers_to(chunk, config.input, request, answers)) {
      fmt::print("{}", answer);
      ++asked;
      answered += is_error(answer) ? 0 : 1;
    }
  }
  answers.print_notices();
  if (asked == 0 || answered != 0) return stop_status();
  throw Failure(
      Exit::kUnreadable,
      fmt::format("{}: none of {} queries has an answer; each line says why", path, asked));
}

}  // namespace

int run_similar(const CommandLine& line) {
  const auto path = line.one("FILE");
  if (path.has_value() == line.has("--id")) {
    throw Failure(Exit::kUsage, "give either --id ID or FILE (- for queries on standard input)");
  }
  Answers answers(line);
  const Config& config = answers.config();
  if (path && holds_lines(*path)) {
    return answer_lines(config, *path, request_of(line, config, AskedBy::kLines), answers);
  }
  SearchRequest request = request_of(line, config, path ? AskedBy::kText : AskedBy::kId);
  request.what = path ? read_text_file(*path, config.text.max_bytes) : *line.one("--id");
  fmt::print("{}", answers.to(request));
  answers.print_notices();
  return 0;
}

}  // namespace neardup
