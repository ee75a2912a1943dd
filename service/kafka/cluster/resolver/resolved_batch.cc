#include "service/kafka/cluster/resolver/resolved_batch.h"

#include <utility>

#include "pipeline/batch_reporter.h"
#include "service/kafka/message/flag_codec.h"

namespace neardup {

ResolvedBatches::ResolvedBatches(Start start)
    : start_(std::move(start)),
      first_(start_.next),
      next_(start_.next),
      log_(start_.log),
      mark_(start_.mark),
      chain_(start_.chain),
      batch_(std::make_unique<DecidedBatch>()) {}

void ResolvedBatches::add(MergedResolver::Decision decision, const UndecidedChunk& chunk,
                          const Age& age, std::chrono::steady_clock::time_point arrived) {
  StoredBatch& stored = batch_->stored;
  encoded_.clear();
  encode_flag(decision.flag, encoded_);
  chain_.add(encoded_);
  const std::size_t i = next_ - chunk.first;
  count_flag(decision.flag, chunk.batch.text_bytes[i], counts_);
  if (!chunk.traces.empty() && chunk.traces[i]) {
    stored.traces.resize(stored.flags.size());
    stored.traces.push_back(chunk.traces[i]);
  }
  std::vector<Arrivals::Run>& runs = batch_->arrivals.runs;
  if (runs.empty() || runs.back().first_read != arrived) runs.push_back({arrived, 0});
  ++runs.back().records;
  batch_->arrivals.timestamps_ms.push_back(chunk.ts_ms);
  if (start_.keeps_ages && decision.effect.has_version) ages_.push_back(age);
  effects_.push_back(decision.effect);
  stored.flags.push_back(std::move(decision.flag));
  ++next_;
}

std::unique_ptr<DecidedBatch> ResolvedBatches::take(End end) {
  StoredBatch& stored = batch_->stored;
  stored.rule = start_.rule;
  stored.before = mark_;
  mark_ = CommitMetadata{start_.leader, mark_ ? mark_->batch + 1 : 1, chain_.digits(), next_};
  stored.after = *mark_;
  stored.from = {log_};
  log_.offset = end.place.offset;
  stored.to = {log_};
  if (!stored.traces.empty()) stored.traces.resize(stored.flags.size());
  stored.decided = encode(end);
  stored.sources = std::move(end.sources);
  first_ = next_;
  const std::size_t size = stored.flags.size();
  std::unique_ptr<DecidedBatch> taken = std::exchange(batch_, std::make_unique<DecidedBatch>());
  // The next one is often as large.
  batch_->stored.flags.reserve(size);
  batch_->arrivals.timestamps_ms.reserve(size);
  effects_.reserve(size);
  return taken;
}

std::string ResolvedBatches::encode(const End& end) {
  Decided decided;
  decided.rule = start_.rule.fingerprint;
  decided.first = first_;
  decided.next = next_;
  decided.offset = end.place.offset;
  decided.log = end.place.state;
  decided.began_ms = end.time.began_ms();
  decided.stream_ms = end.time.now_ms();
  decided.watermark = end.watermark;
  decided.chain = chain_.digits();
  decided.again = end.again;
  if (end.placement.epoch != 0) decided.placement = end.placement;
  decided.effects = std::exchange(effects_, {});
  decided.ages = std::exchange(ages_, {});
  return encode_decided(start_.cluster, decided);
}

}  // namespace neardup
