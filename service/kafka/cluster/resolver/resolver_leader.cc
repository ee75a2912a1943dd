#include "service/kafka/cluster/resolver/resolver_leader.h"

#include <algorithm>

#include "pipeline/batch_reporter.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;
using Outcome = Resolving::Outcome;

constexpr milliseconds kNoWait{0};
constexpr milliseconds kForLog{50};
constexpr milliseconds kForAnswers{10};
constexpr milliseconds kShortestWait{2};
constexpr int kMostDecisions = 1024;        // until the log and answers are read again
constexpr std::size_t kMostAnswers = 1024;  // until records are decided again

// The stage is not busy while this lives.
class Unwatched {
 public:
  Unwatched(StageWatch& watch, ServiceStage stage) : watch_(watch), stage_(stage) {
    watch_.idle(stage_);
  }
  ~Unwatched() { watch_.busy(stage_); }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  StageWatch& watch_;
  const ServiceStage stage_;
};

milliseconds idle_commit(const Config& config) {
  return std::chrono::seconds(config.kafka.idle_commit_seconds);
}

}  // namespace

ResolverLeader::ResolverLeader(ServiceRunner& runner, ResolverStart start, DeliveryThread& thread,
                               ShardWaits& waits)
    : runner_(runner),
      events_(runner.metrics().events()),
      options_(runner.context().config.batch),
      window_(runner.context().config.cluster.window),
      idle_commit_(idle_commit(runner.context().config)),
      thread_(thread),
      waits_(waits),
      undecided_({runner.context().rule, start.head.uuid, runner.context().config.cpu.simd, events_,
                  runner.context().log},
                 {start.head.last.offset, start.head.last.log}, std::move(start.placement)),
      log_(runner.kafka().consumer, runner.context().config.cluster, start.head.last.offset,
           runner.context().log),
      book_(runner.context().rule, start.head.uuid, start.head.last.next, window_),
      answers_(runner.kafka().consumer, runner.context().config.cluster.answers_topic(), book_,
               events_, runner.kafka().reading),
      batches_(std::move(start.batches)),
      resolving_(runner.context().rule, runner.context().config.cpu, start.decisions, undecided_,
                 book_, batches_),
      stall_(Clock::now()),
      last_commit_(Clock::now()) {
  follow_shards();
}

void ResolverLeader::run() {
  commit(AgainReason::kStart);
  while (!runner_.ends()) {
    runner_.watch().alive(ServiceStage::kReader);
    read_log(kNoWait);
    answers_.read(kNoWait, kMostAnswers);
    const Outcome outcome = decide_some();
    if (outcome == Outcome::kShortList) {
      commit(AgainReason::kShortList);
      continue;
    }
    end_batch_if_due();
    if (outcome == Outcome::kNoRecord) await_log();
    if (outcome == Outcome::kNoAnswers) await_answers();
  }
}

void ResolverLeader::read_log(milliseconds wait) {
  const Seq before = undecided_.next_seq();
  log_.read(wait, resolving_.next() + window_, undecided_);
  follow_shards();
  const Seq next = undecided_.next_seq();
  if (next != before) arrivals_.emplace_back(next, Clock::now());
}

// As soon as a placement names them: they answer long before its records are decided.
void ResolverLeader::follow_shards() {
  const Placement& newest = undecided_.placement();
  if (followed_ == newest.epoch) return;
  answers_.follow(newest.answering);
  followed_ = newest.epoch;
}

ResolverLeader::Clock::time_point ResolverLeader::arrival_of(Seq seq) {
  while (arrivals_.size() > 1 && arrivals_.front().first <= seq) arrivals_.pop_front();
  return arrivals_.empty() ? Clock::now() : arrivals_.front().second;
}

// kDecided: there may be more to decide.
Outcome ResolverLeader::decide_some() {
  const Seq before = resolving_.next();
  if (batches_.size() == 0) batch_began_ = Clock::now();
  Outcome outcome = Outcome::kDecided;
  for (int n = 0; n < kMostDecisions && batches_.size() < options_.documents; ++n) {
    outcome = resolving_.decide(arrival_of(resolving_.next()));
    if (outcome != Outcome::kDecided) break;
  }
  if (resolving_.next() != before) stall_.decided(Clock::now());
  return outcome;
}

void ResolverLeader::await_log() {
  stall_.news(Clock::now());
  read_log(longest_wait(kForLog));
}

void ResolverLeader::await_answers() {
  answers_.follow(resolving_.missing());  // those of a placement that another one followed at once
  const Clock::time_point began = Clock::now();
  const bool any = answers_.read(longest_wait(kForAnswers), kMostAnswers);
  const Clock::time_point now = Clock::now();
  waits_.add(resolving_.missing(), now - began);
  if (any) stall_.news(now);
  if (!stall_.is_stalled(now)) return;
  commit(AgainReason::kStall);
  stall_.asked(now);
}

// A batch does not wait longer than its linger allows. Where it has to wait for an earlier one to
// be delivered, that is no reason to look for news all the time.
milliseconds ResolverLeader::longest_wait(milliseconds most) const {
  if (batches_.size() == 0) return most;
  const auto left = milliseconds(options_.linger_ms) - (Clock::now() - batch_began_);
  return std::clamp(std::chrono::duration_cast<milliseconds>(left), kShortestWait, most);
}

void ResolverLeader::end_batch_if_due() {
  const Clock::time_point now = Clock::now();
  if (batches_.size() == 0) {
    if (is_news(now - last_commit_)) commit({});
    return;
  }
  const bool has_room = thread_.undelivered() < options_.in_flight;
  const bool lingered = now - batch_began_ >= milliseconds(options_.linger_ms);
  if (batches_.size() >= options_.documents || (lingered && has_room)) commit({});
}

// Is a batch without records worth a transaction? The log has gone on with messages that have none,
// or the committed offset may expire.
bool ResolverLeader::is_news(Clock::duration since_last) const {
  if (since_last > idle_commit_ / 2) return true;
  return since_last >= milliseconds(options_.linger_ms) &&
         resolving_.next() == undecided_.next_seq() && undecided_.offset() != batches_.offset();
}

void ResolverLeader::commit(std::optional<AgainReason> again) {
  {
    const Unwatched delivery(runner_.watch(), ServiceStage::kReader);
    thread_.wait_for_room();
  }
  if (again) events_.answers_asked_for_again(*again);
  thread_.push(resolving_.take(again.has_value()));
  last_commit_ = Clock::now();
  report();
}

void ResolverLeader::report() {
  const StreamTime& time = resolving_.time();
  StoredBatchReport& counts = batches_.counts();
  counts.time_steps_cut = time.steps_cut();
  events_.batch_resolved(counts);
  begin_batch(counts);
  events_.resolver_stands(resolving_.window(), undecided_.placement().epoch);
  events_.state_stands(resolving_.next() - 1, time.now_ms());
}

}  // namespace neardup
