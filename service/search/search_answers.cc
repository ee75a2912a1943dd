#include "service/search/search_answers.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/cpu/cpu_backend.h"
#include "pipeline/base/failure.h"
#include "pipeline/prepare.h"
#include "pipeline/search/similar.h"
#include "pipeline/state_keys.h"
#include "service/search/answer_text.h"
#include "service/search/search_query.h"

namespace neardup {
namespace {

using Clock = std::chrono::steady_clock;

struct SearchReply {
  std::optional<SimilarAnswer> answer;
  std::string error;  // without an answer: a sentence that says what to do
};

// The references must outlive this. Any thread may use one, once the owner of the store has called
// Store::sketches.
class BatchSearch {
 public:
  // `name_space`: of queries that name none.
  BatchSearch(Store& store, const Rule& rule, const SimilarSearch& search,
              const SimilarOptions& options, std::string name_space);

  // One reply a record, in their order: the text of a document is asked about, or the id of a
  // record that was rejected for its missing text (QueryDecoder).
  std::vector<SearchReply> replies(const SketchedBatch& batch);

  // The reply for one id.
  SearchReply reply(const std::string& id);

 private:
  std::vector<SearchReply> answered(const SketchView& view, std::vector<QueryOrError> queries);

  Store& store_;
  const Rule& rule_;
  const SimilarSearch& search_;
  SimilarOptions options_;
  std::string name_space_;
};

BatchSearch::BatchSearch(Store& store, const Rule& rule, const SimilarSearch& search,
                         const SimilarOptions& options, std::string name_space)
    : store_(store),
      rule_(rule),
      search_(search),
      options_(options),
      name_space_(std::move(name_space)) {}

std::vector<SearchReply> BatchSearch::replies(const SketchedBatch& batch) {
  const auto searched = [&](std::size_t i) -> const std::string& {
    const std::string& named = batch.records[i].name_space;
    return named.empty() ? name_space_ : named;
  };
  const auto asks_for_id = [&](std::size_t i) {
    return batch.records[i].reason == RejectReason::kMissingText && batch.records[i].has_id;
  };
  // Ids first, so that the view has their documents.
  std::vector<std::optional<IdRow>> ids(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (asks_for_id(i)) ids[i] = store_.find_id({searched(i), batch.records[i].id});
  }
  const auto view = store_.sketches();
  std::vector<QueryOrError> queries;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    queries.push_back(
        asks_for_id(i) ? query_of_id({searched(i), batch.records[i].id}, ids[i], *view, rule_.plan)
                       : query_of_record(batch, i, searched(i), rule_));
  }
  return answered(*view, std::move(queries));
}

SearchReply BatchSearch::reply(const std::string& id) {
  const IdKey key{name_space_, id};
  const std::optional<IdRow> row = store_.find_id(key);
  const auto view = store_.sketches();
  std::vector<QueryOrError> query;
  query.push_back(query_of_id(key, row, *view, rule_.plan));
  return std::move(answered(*view, std::move(query)).front());
}

std::vector<SearchReply> BatchSearch::answered(const SketchView& view,
                                               std::vector<QueryOrError> queries) {
  std::vector<SimilarQuery> asked;
  for (const QueryOrError& query : queries) {
    if (query.query) asked.push_back(query.query->view());
  }
  auto answers = search_.answer(view, asked, options_);
  std::vector<SearchReply> replies;
  auto answer = answers.begin();
  for (QueryOrError& query : queries) {
    if (query.query) {
      replies.push_back({std::move(*answer++), {}});
    } else {
      replies.push_back({{}, std::move(query.error)});
    }
  }
  return replies;
}

// The only query of the request has to have an answer.
void require_answer(const SearchReply& reply, AskedBy by) {
  if (reply.answer) return;
  throw Failure(by == AskedBy::kId ? Exit::kUsage : Exit::kUnreadable, reply.error);
}

}  // namespace

bool is_error(std::string_view line) { return line.starts_with(R"({"error":)"); }

SketchedBatch SearchAnswers::sketched(const SearchRequest& request) const {
  const bool lines = request.by == AskedBy::kLines;
  std::unique_ptr<Decoder> decoder;
  if (lines) {
    decoder = std::make_unique<QueryDecoder>(config_.input, config_.text);
  } else {
    decoder = std::make_unique<TextDecoder>(rule_.text);
  }
  const auto backend = make_cpu_backend(cpu_, rule_.plan);
  SketchedBatch batch;
  Preparer(rule_, cpu_.simd, std::move(decoder), *backend)
      .prepare(lines ? lines_chunk(request.what) : text_chunk(request.what), batch);
  NoticeCounts counts{};
  for (Record& record : batch.records) {
    record.notices.remove(NoticeKind::kUnreadTime);  // a query needs none
    count_notices(record.notices, counts);
  }
  notices_(counts);
  return batch;
}

std::string SearchAnswers::answer(const SearchRequest& request, const SearchEngine& engine) const {
  return answer(request, engine, [](const auto& work) { work(); });
}

std::string SearchAnswers::answer(const SearchRequest& request, const SearchEngine& engine,
                                  const Runner& run) const {
  const auto start = Clock::now();
  const SimilarSearch search(rule_, engine, cpu_);
  const SimilarOptions options{request.k, request.min_similarity, config_.search.candidates};
  BatchSearch batches(store_, rule_, search, options, request.name_space);
  const bool by_id = request.by == AskedBy::kId;
  const SketchedBatch batch = by_id ? SketchedBatch() : sketched(request);
  std::int64_t next = 1;
  std::vector<SearchReply> replies;
  run([&] {
    next = meta_number(store_, kMetaNextSeq, 1);
    if (by_id) {
      replies.push_back(batches.reply(request.what));
    } else {
      replies = batches.replies(batch);
    }
  });
  if (request.by != AskedBy::kLines) require_answer(replies.front(), request.by);
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  const AnswerScope scope{static_cast<Seq>(next - 1), took.count()};
  if (request.table) return answer_table(*replies.front().answer, options, scope);
  std::string lines;
  for (const SearchReply& reply : replies) {
    lines += reply.answer ? answer_json(*reply.answer, scope) : error_json(reply.error);
    lines += '\n';
  }
  return lines;
}

}  // namespace neardup
