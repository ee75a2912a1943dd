// The pipeline's flags on their way to Kafka: a batch is numbered and chained, put into the outbox
// with the state, and then handed to the delivery thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/read/decided_batch.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/recovery_plan.h"
#include "service/kafka/store/replay_check.h"
#include "service/log/log.h"
#include "service/monitor/watchdog.h"
#include "storage/store.h"

namespace neardup {

class KafkaDelivery : public Delivery {
 public:
  // Goes on after `head`. `replay`: what is decided up to there was delivered by a newer copy of
  // this state; it is checked and stored, not sent. `check`, or null, knows what was delivered of
  // each of these records; without it the chain at the end is the proof. `stored`: batches in the
  // outbox that are delivered and can go. An empty batch whose positions did not move is sent only
  // when the last one is older than `idle_commit` / 2.
  KafkaDelivery(const StateHead& head, std::optional<StateHead> replay, ReplayCheck* check,
                std::vector<std::uint64_t> stored, RuleStamp rule, OutputMode mode,
                std::chrono::milliseconds idle_commit, DeliveryThread& thread, StageWatch& watch,
                Log& log);

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  // Waits until fewer than batch.in_flight stored batches are undelivered. Throws what ended the
  // delivery thread.
  void before_commit(WriteSet& writes) override;
  void after_commit() override;

  // Empties the outbox of what is delivered: a state whose outbox is empty owes nothing to anyone.
  // To be called after the last batch.
  void forget_delivered(Store& store);

  // What is decided was delivered already, by a newer copy of this state.
  bool replaying() const { return replay_.has_value(); }
  // Of the last batch.
  const Positions& positions() const { return head_.positions; }
  // Records up to where that ends, as of the last batch.
  std::uint64_t replay_left() const;

 private:
  bool is_news() const;
  void keep_trace(const RawRecord& record, std::size_t flag);
  void number_batch(WriteSet& writes);
  void end_replay();
  [[noreturn]] void refuse_flags() const;
  void trim(WriteSet& writes);

  StateHead head_;
  std::optional<StateHead> replay_;
  ReplayCheck* check_;
  std::vector<std::uint64_t> stored_;  // in the outbox, oldest first
  RuleStamp rule_;
  OutputMode mode_;
  std::chrono::milliseconds idle_commit_;
  DeliveryThread& thread_;
  StageWatch& watch_;
  Log& log_;
  std::chrono::steady_clock::time_point last_batch_;
  bool sends_ = false;  // the current batch is one to deliver
  Chain chain_;
  std::unique_ptr<DecidedBatch> batch_;
  std::string encoded_;  // the flags of the batch
  std::vector<const RawRecord*> wanted_;
};

}  // namespace neardup
