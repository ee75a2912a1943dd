// The answers to a request for similar documents, as text.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "config/config.h"
#include "pipeline/model/notice.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/rule/rule.h"
#include "pipeline/search/engine.h"
#include "service/control/search_request.h"
#include "storage/store.h"

namespace neardup {

class SearchAnswers {
 public:
  // `config`: its input, text and similar.candidates. `notices` takes those of each request. The
  // references must outlive this.
  SearchAnswers(Store& store, const Rule& rule, const Config& config, const CpuOptions& cpu,
                NoticeSink notices)
      : store_(store), rule_(rule), config_(config), cpu_(cpu), notices_(std::move(notices)) {}

  // Calls the work that it is given, perhaps in another thread, and returns when that is done.
  using Runner = std::function<void(const std::function<void()>& work)>;

  // A line for each query, in their order, or the table of the only one. `run` calls what reads the
  // store; the other overload reads it in this thread. Any thread, once the owner of the store has
  // called Store::sketches, unless the engine needs the owner. Throws Failure(kUsage) for an id and
  // Failure(kUnreadable) for a text that has no answer; a line among lines says why. Also throws
  // as `run`.
  std::string answer(const SearchRequest& request, const SearchEngine& engine,
                     const Runner& run) const;
  std::string answer(const SearchRequest& request, const SearchEngine& engine) const;

 private:
  SketchedBatch sketched(const SearchRequest& request) const;

  Store& store_;
  const Rule& rule_;
  const Config& config_;
  CpuOptions cpu_;
  NoticeSink notices_;
};

// Whether a line of the answer to lines says why there is none.
bool is_error(std::string_view line);

}  // namespace neardup
