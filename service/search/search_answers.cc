#include "service/search/search_answers.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "gpu/cpu/cpu_backend.h"
#include "pipeline/base/failure.h"
#include "pipeline/prepare.h"
#include "pipeline/state_keys.h"
#include "service/search/answer_text.h"
#include "service/search/batch_search.h"
#include "service/search/query_decoder.h"

namespace neardup {
namespace {

using Clock = std::chrono::steady_clock;

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
