#include "service/kafka/cluster/shard/shard_work.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/state_keys.h"
#include "service/failpoint.h"

namespace neardup {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Seq kMostRecords = 16'384;  // of one commit, unless a single batch has more

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

ShardWork::ShardWork(const ShardIdentity& identity, const ShardPlace& place, std::uint32_t window,
                     Shard& shard, Store& store, UndecidedLog& log, ShardProbe& probe)
    : identity_(identity),
      place_(place),
      window_(window),
      shard_(shard),
      store_(store),
      log_(log),
      probe_(probe),
      known_(place.next),
      watermark_(static_cast<Seq>(meta_number(store, kMetaExpiredBefore, 0))),
      next_answer_(place.next) {}

void ShardWork::add(DecidedMessage message) {
  const Decided& decided = message.decided;
  require_successive(message, known_);
  if (decided.effects.size() != decided.next - decided.first) {
    throw Failure(Exit::kUnavailable,
                  fmt::format("the records {} to {} were decided by a decider, which keeps the "
                              "documents itself: shards cannot follow it. Make shard 0 from the "
                              "decider's state",
                              decided.first, decided.next - 1));
  }
  known_ = decided.next;
  decided_.push_back(std::move(message));
}

Seq ShardWork::wanted() const { return std::max(known_, shard_.decided() + window_) + 1; }

bool ShardWork::apply() {
  const auto start = Clock::now();
  AppliedReport report;
  const Seq first = shard_.decided() + 1;
  while (!decided_.empty() && decided_.front().decided.next <= log_.next_seq()) {
    const DecidedMessage& message = decided_.front();
    if (report.batches > 0 && message.decided.next - first > kMostRecords) break;
    apply(message.decided);
    place_ = place_behind(message.decided, message.offset, log_.placement(message.decided.next));
    if (message.decided.again) answer_again(), ++report.again;
    decided_.pop_front();
    ++report.batches;
  }
  if (report.batches == 0) return false;
  report.records = place_.next - first;
  report.apply_seconds = seconds_since(start);
  writes_.clear();
  shard_.fill(watermark_, writes_);
  put_shard_place(identity_, place_, writes_);
  failpoint("before_store");
  store_.commit(writes_);
  failpoint("after_store");
  shard_.committed();
  keeps_new_ = false;
  log_.drop_below(place_.next);
  report.commit_seconds = seconds_since(start) - report.apply_seconds;
  probe_.decisions_applied(report);
  return true;
}

void ShardWork::apply(const Decided& decided) {
  const auto owns = [this](Seq seq) {
    const bool own = owner_of(log_.placement(seq), seq) == identity_.shard;
    keeps_new_ |= own;
    return own;
  };
  std::span<const Effect> rest = decided.effects;
  while (!rest.empty()) {
    const Seq next = shard_.decided() + 1;
    const UndecidedChunk& chunk = *log_.chunk_of(next);
    if (!answers(chunk)) require_nothing_kept(next);
    const std::size_t from = next - chunk.first;
    const std::size_t count = std::min(rest.size(), chunk.batch.size() - from);
    shard_.apply(chunk.batch, from, rest.first(count), owns);
    rest = rest.subspan(count);
  }
  watermark_ = std::max(watermark_, decided.watermark);
}

void ShardWork::require_nothing_kept(Seq next) const {
  std::vector<Age> oldest;
  store_.ages(watermark_, 1, oldest);
  if (oldest.empty() && !keeps_new_) return;
  throw Failure(
      Exit::kConfig,
      fmt::format("the placement of record {} removes shard {}, and its state in storage.path has "
                  "documents: decisions without it may end or repeat them, so it must not answer "
                  "again. Stop this shard; its number may be given to one whose directory is empty",
                  next, identity_.shard));
}

std::optional<Answer> ShardWork::answer() {
  const Seq decided = shard_.decided();
  next_answer_ = std::max(next_answer_, decided + 1);
  while (const UndecidedChunk* chunk = log_.chunk_of(next_answer_)) {
    if (chunk->first > decided + window_) return {};
    next_answer_ = chunk->next();
    if (answers(*chunk)) return shard_.answer(chunk->batch, chunk->first);
  }
  return {};
}

bool ShardWork::answers(const UndecidedChunk& chunk) const {
  return std::ranges::binary_search(log_.placement(chunk.first).answering, identity_.shard);
}

}  // namespace neardup
