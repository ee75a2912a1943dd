#include "service/search/service_searches.h"

#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/search/lsh_engine.h"
#include "service/search/engines.h"

namespace neardup {
namespace {

// A request takes one thread: the others are the decider's.
CpuOptions one_thread(const Config& config) { return {.threads = 1, .simd = config.cpu.simd}; }

// Between two pieces the owner of the store continues its work.
constexpr PieceLimits kByOwner{.lines = 16};

std::unique_ptr<IndexKeeper> keep_keywords(Store& store, const Rule& rule, const Config& config,
                                           Log& log) {
  if (config.search.index == KeywordIndexMode::kOff) return nullptr;
  auto index = keep_keyword_index(config.search, config.storage.path, store, rule);
  return std::make_unique<IndexKeeper>(store, std::move(index), [&log](const auto& error) {
    log.warning("index of keywords behind", {{"reason", error}});
  });
}

}  // namespace

ServiceSearch::ServiceSearch(Store& store, const Rule& rule, const Config& config,
                             std::shared_ptr<KeywordIndex> index,
                             std::function<void(const std::string&)> on_device_failure,
                             SearchAnswers::Runner by_owner, NoticeSink notices)
    : answers_(store, rule, config, one_thread(config), std::move(notices)),
      by_owner_(std::move(by_owner)),
      lsh_(make_lsh_engine(rule.plan, store, one_thread(config))) {
  const SketchShape shape = rule.plan.shape();
  SearchMachine machine{one_thread(config),
                        search_device(config.backend_options(), config.search.memory),
                        std::move(on_device_failure)};
  if (index) {
    by_keywords_ =
        keyword_engine(shape, indexed_search(config.search, shape), std::move(index), machine);
    machine.device = {};
  }
  scan_ = scan_engine(shape, machine);
  store.sketches();  // the first call is the owner's
}

const SearchEngine& ServiceSearch::engine(EngineName asked) const {
  if (asked == EngineName::kScan) return *scan_;
  if (asked == EngineName::kAuto) return by_keywords_ ? *by_keywords_ : *scan_;
  if (by_keywords_ && by_keywords_->name() == name(asked)) return *by_keywords_;
  throw Failure(Exit::kConfig, fmt::format("engine: the service keeps no index for {}: see "
                                           "similar.index",
                                           name(asked)));
}

std::string ServiceSearch::answer(const SearchRequest& request) const {
  if (request.engine == EngineName::kLsh) return answer_by_owner(request);
  return answers_.answer(request, engine(request.engine));
}

std::string ServiceSearch::answer_by_owner(const SearchRequest& request) const {
  if (request.by != AskedBy::kLines) return answers_.answer(request, *lsh_, by_owner_);
  SearchRequest piece = request;
  std::string answers;
  std::string_view rest = request.what;
  for (piece.what = take_lines(rest, kByOwner); !piece.what.empty();
       piece.what = take_lines(rest, kByOwner)) {
    answers += answers_.answer(piece, *lsh_, by_owner_);
  }
  return answers;
}

ServiceSearches::ServiceSearches(Store& store, const Rule& rule, const Config& config,
                                 Control& control, NoticeSink notices, Log& log)
    : keeper_(keep_keywords(store, rule, config, log)),
      search_(
          store, rule, config, keeper_ ? keeper_->index() : nullptr,
          [&log](const std::string& failure) {
            log.warning("searching on the CPU: the GPU has failed", {{"reason", failure}});
          },
          [&control](const auto& work) { control.read_state([&](StateAccess&) { work(); }); },
          std::move(notices)),
      answer_([this](const SearchRequest& request) { return search_.answer(request); }),
      open_(control.searches(), answer_) {}

}  // namespace neardup
