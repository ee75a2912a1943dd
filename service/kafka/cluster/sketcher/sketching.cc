#include "service/kafka/cluster/sketcher/sketching.h"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "service/failpoint.h"
#include "service/kafka/message/commit_metadata.h"

namespace neardup {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kIdleStep{100};  // how soon an end is noticed
constexpr milliseconds kBusyStep{5};    // how soon an acknowledgement is
constexpr milliseconds kFullStep{50};
constexpr milliseconds kBetweenChecks{500};

}  // namespace

Sketching::Sketching(const Config& config, const Rule& rule, Backend& backend,
                     LogAppender& appender, SketchingAsks asks, RetryPolicy& committing,
                     SketcherProbe& probe)
    : config_(config),
      options_{rule, config.cpu, config.batch},
      backend_(backend),
      appender_(appender),
      asks_(std::move(asks)),
      committing_(committing),
      probe_(probe),
      next_look_(Clock::now()) {}

bool Sketching::run(Source& source) {
  const std::atomic<bool> never{false};  // the source is interrupted
  std::exception_ptr failure;
  {
    PreparedChunks chunks(options_, backend_, times_, source, asks_.make_decoder, never);
    try {
      append_all(source, chunks.queue());
    } catch (const KafkaError&) {
      throw;
    } catch (const Stopped&) {
      if (committing_.stop()) throw;
      // The reader was stopped while it waited for brokers.
    } catch (...) {
      failure = std::current_exception();
    }
  }
  appender_.end_batch();
  for (settle(); appender_.waiting() > 0; settle()) appender_.poll(kBusyStep);
  if (failure) std::rethrow_exception(failure);
  look_for_passed_over();
  return !passed_over_;
}

void Sketching::append_all(Source& source, ChunkQueue& queue) {
  for (bool ending = false;;) {
    if (!ending && should_end()) {
      ending = true;
      source.interrupt();
    }
    settle();
    if (appender_.waiting() >= config_.batch.in_flight) {
      appender_.poll(kBusyStep);
      continue;
    }
    if (is_paused()) {
      if (ending) return;
      appender_.poll(kFullStep);
      continue;
    }
    const milliseconds step = appender_.waiting() > 0 ? kBusyStep : kIdleStep;
    if (!queue.wait_until(Clock::now() + step)) {
      appender_.poll({});
      continue;
    }
    std::unique_ptr<Chunk> chunk = queue.pop();
    if (!chunk) return;
    appender_.append(*chunk);
    queue.recycle(std::move(chunk));
  }
}

bool Sketching::should_end() { return asks_.ends() || finds_passed_over(); }

bool Sketching::is_paused() {
  const bool full = asks_.log_is_full();
  const auto now = Clock::now();
  if (paused_since_) {
    probe_.paused(std::chrono::duration<double>(now - *paused_since_).count());
  } else if (full) {
    committing_.log().warning("log is full", {{"detail",
                                               "more than cluster.log.max_lag bytes are not "
                                               "decided yet; waiting"}});
  }
  paused_since_.reset();
  if (full) paused_since_ = now;
  return full;
}

bool Sketching::finds_passed_over() {
  const auto now = Clock::now();
  if (now < next_look_) return false;
  next_look_ = now + kBetweenChecks;
  look_for_passed_over();
  return passed_over_;
}

void Sketching::look_for_passed_over() {
  const Decided decided = asks_.decided();
  for (const auto& [partition, appended] : appended_) {
    if (passed_over(appended, partition, decided)) passed_over_ = true;
  }
}

void Sketching::settle() {
  while (const auto batch = appender_.take_acknowledged()) commit(*batch);
}

// What cannot be committed is another member's by now, who sketches it again.
void Sketching::commit(const AppendedBatch& batch) {
  if (batch.commits.empty()) return;
  failpoint("before_log_commit");
  probe_.batch_appended(batch.report);
  if (asks_.noticed) asks_.noticed(batch.report.notices);
  bool committed = false;
  committing_.until_done("committing offsets", [&] { committed = asks_.commit(batch.commits); });
  if (!committed) return;
  Positions positions;
  for (const OffsetCommit& one : batch.commits) {
    positions.push_back(one.position);
    const auto mark = decode_log_mark(one.metadata);
    appended_[one.position.partition] = {one.position.offset, mark ? mark->offset : 0};
  }
  asks_.committed(positions);
}

}  // namespace neardup
