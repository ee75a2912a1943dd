#include "service/ingest/document_request.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "pipeline/core/failure.h"
#include "service/http/problem.h"

namespace neardup {

bool DocumentRequest::all_taken() {
  const MutexLock lock(mutex_);
  all_ = taken_;
  return answer_if_complete();
}

bool DocumentRequest::committed(std::string_view flags, const StatusCounts& counts) {
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < kStatuses; ++i) counts_[i] += counts[i];
  committed_ += std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  try {
    if (!failure_) spool_->append(flags);
  } catch (const Failure& failure) {
    failure_ = problem(500, "not_written",
                       fmt::format("{}; the documents are stored: send them again for their "
                                   "verdicts",
                                   failure.what()));
  }
  return answer_if_complete();
}

void DocumentRequest::spoil(HttpAnswer answer) {
  const MutexLock lock(mutex_);
  if (!failure_) failure_ = std::move(answer);
}

void DocumentRequest::wait(HttpUpload::Done done) {
  const MutexLock lock(mutex_);
  done_ = std::move(done);
  answer_if_complete();
}

void DocumentRequest::abandon() {
  const MutexLock lock(mutex_);
  done_ = nullptr;
  failure_ = HttpAnswer{};
}

void DocumentRequest::fail(HttpAnswer answer) {
  const MutexLock lock(mutex_);
  failure_ = std::move(answer);
  all_ = committed_;
  answer_if_complete();
}

bool DocumentRequest::answer_if_complete() {
  if (all_ != committed_) return false;
  if (done_) std::exchange(done_, nullptr)(failure_ ? *failure_ : complete_answer());
  return true;
}

HttpAnswer DocumentRequest::complete_answer() const {
  HttpAnswer answer;
  answer.type = kJsonLinesType;
  std::string counts;
  for (std::size_t i = kStatuses; i-- > 0;) {  // the commonest first
    if (counts_[i] == 0) continue;
    counts += fmt::format("{}{}={}", counts.empty() ? "" : ", ", kStatusNames[i], counts_[i]);
  }
  answer.fields.emplace_back("Neardup-Counts", counts);
  answer.rest = spool_;
  return answer;
}

}  // namespace neardup
