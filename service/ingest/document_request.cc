#include "service/ingest/document_request.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/http/message/problem.h"

namespace neardup {
namespace {

constexpr std::size_t kMostFlags = 1000;  // that one request waits for

}  // namespace

bool DocumentRequest::all_taken() {
  const MutexLock lock(mutex_);
  all_ = taken_;
  return answer_if_complete();
}

bool DocumentRequest::committed(std::string_view flags, const StatusCounts& counts) {
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < kStatuses; ++i) counts_[i] += counts[i];
  keep(flags, std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}),
       "the documents are stored: resend them for their verdicts");
  return answer_if_complete();
}

bool DocumentRequest::written(std::string_view positions, std::uint64_t records) {
  const MutexLock lock(mutex_);
  keep(positions, records, "the documents are in their topic: resent ones are `unchanged`");
  return answer_if_complete();
}

void DocumentRequest::keep(std::string_view lines, std::uint64_t records, std::string_view then) {
  committed_ += records;
  if (failure_) return;
  try {
    spool_->append(lines);
  } catch (const SpoolFull& full) {
    give_up(problem_of(full, "send fewer documents at once, or select statuses by `only`", then));
  } catch (const Failure& failure) {
    give_up(problem(500, "not_written", fmt::format("{}; {}", failure.what(), then)));
  }
}

// Gives back what the flags took.
void DocumentRequest::give_up(HttpAnswer answer) {
  failure_ = std::move(answer);
  spool_.reset();
}

bool DocumentRequest::waits() const {
  const MutexLock lock(mutex_);
  return waits_;
}

std::optional<std::size_t> DocumentRequest::await_flag() {
  const MutexLock lock(mutex_);
  const auto number = add_flag({});
  if (number) ++awaited_;
  return number;
}

void DocumentRequest::skip_flag(std::string line) {
  const MutexLock lock(mutex_);
  add_flag(std::move(line));
}

std::optional<std::size_t> DocumentRequest::add_flag(std::string line) {
  waits_ = waits_ && flags_.size() < kMostFlags;
  if (!waits_) return {};
  flags_.push_back(std::move(line));
  return flags_.size() - 1;
}

bool DocumentRequest::flagged(std::size_t number, std::string line, Status status) {
  const MutexLock lock(mutex_);
  if (!waits_) return false;
  ++counts_[static_cast<std::size_t>(status)];
  if (form_.only[static_cast<std::size_t>(status)]) flags_[number] = std::move(line);
  --awaited_;
  return answer_if_complete();
}

bool DocumentRequest::wait_no_longer() {
  const MutexLock lock(mutex_);
  waits_ = false;
  return answer_if_complete();
}

void DocumentRequest::spoil(HttpAnswer answer) {
  const MutexLock lock(mutex_);
  if (!failure_) give_up(std::move(answer));
}

void DocumentRequest::wait(HttpUpload::Done done) {
  const MutexLock lock(mutex_);
  done_ = std::move(done);
  answer_if_complete();
}

void DocumentRequest::abandon() {
  const MutexLock lock(mutex_);
  done_ = nullptr;
  give_up(HttpAnswer{});
}

void DocumentRequest::fail(HttpAnswer answer) {
  const MutexLock lock(mutex_);
  give_up(std::move(answer));
  all_ = committed_;
  answer_if_complete();
}

bool DocumentRequest::answer_if_complete() {
  if (all_ != committed_ || (waits_ && awaited_ > 0)) return false;
  if (done_) std::exchange(done_, nullptr)(failure_ ? *failure_ : complete_answer());
  return true;
}

HttpAnswer DocumentRequest::complete_answer() const {
  if (form_.positions && !waits_)
    return {.status = 202, .body = {}, .type = kJsonLinesType, .fields = {}, .rest = spool_};
  HttpAnswer answer;
  answer.type = kJsonLinesType;
  std::string counts;
  for (std::size_t i = kStatuses; i-- > 0;) {  // the commonest first
    if (counts_[i] == 0) continue;
    counts += fmt::format("{}{}={}", counts.empty() ? "" : ", ", kStatusNames[i], counts_[i]);
  }
  answer.fields.emplace_back("Neardup-Counts", counts);
  if (form_.positions) {
    for (const std::string& flag : flags_) answer.body += flag;
  } else {
    answer.rest = spool_;
  }
  return answer;
}

std::shared_ptr<DocumentRequest> OpenRequests::open(const RequestForm& form,
                                                    std::uint64_t max_record_bytes,
                                                    SpoolBudget& budget) {
  const MutexLock lock(mutex_);
  while (requests_.contains(next_)) ++next_;
  auto request = std::make_shared<DocumentRequest>(next_, form, max_record_bytes, budget);
  requests_.emplace(next_++, request);
  return request;
}

std::shared_ptr<DocumentRequest> OpenRequests::find(std::uint32_t number) const {
  const MutexLock lock(mutex_);
  const auto found = requests_.find(number);
  return found == requests_.end() ? nullptr : found->second;
}

void OpenRequests::remove(std::uint32_t number) {
  const MutexLock lock(mutex_);
  requests_.erase(number);
}

std::size_t OpenRequests::size() const {
  const MutexLock lock(mutex_);
  return requests_.size();
}

void OpenRequests::fail(const HttpAnswer& answer) {
  const MutexLock lock(mutex_);
  for (const auto& [number, request] : requests_) request->fail(answer);
  requests_.clear();
}

}  // namespace neardup
