// The Delivery of a service: numbers each batch, adds it to the outbox in the commit of its state,
// and then hands it to the delivery thread.
//
// The deciding thread calls it. One commit of the state makes flags, positions, chain and outbox
// entry durable together; only then is the batch sent, while the next ones are decided, of which at
// most batch.in_flight are stored and not delivered. A later commit erases what is delivered from
// the outbox. A crash before the commit leaves records that nobody has seen a flag of: they are
// read and decided again. A crash after it leaves the batch in the outbox, for the next start.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/message/message_writer.h"
#include "service/kafka/read/decided_batch.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/delivered.h"
#include "service/kafka/store/recovery_plan.h"
#include "service/log/log.h"
#include "service/monitor/watchdog.h"
#include "storage/store.h"

namespace neardup {

// Where a state is when its delivery begins.
struct DeliveryStart {
  StateHead head;
  // A newer copy of this state has delivered the records up to here. Their flags are checked and
  // stored, but not sent.
  std::optional<StateHead> replay = {};
  // Compares each of these flags with the delivered one; if null, the chain at the end is compared
  // instead. Must outlive the delivery.
  ReplayCheck* check = nullptr;
  std::vector<std::uint64_t> stored = {};  // delivered batches that are still in the outbox
};

struct KafkaDeliveryOptions {
  RuleStamp rule;
  AnswerMode mode;
  // An empty batch whose positions did not move is sent only when the last one is older than half
  // of this.
  std::chrono::milliseconds idle_commit{};
};

class KafkaDelivery : public Delivery {
 public:
  // The references must outlive this.
  KafkaDelivery(DeliveryStart start, KafkaDeliveryOptions options, DeliveryThread& thread,
                StageWatch& watch, Log& log);

  // Adds to each batch what only a batch of a cluster has. To be called before the first batch.
  using Complete = std::function<void(const WriteSet& writes, StoredBatch& batch)>;
  void complete_by(Complete complete) { complete_ = std::move(complete); }

  // Another decider delivers: batches are stored and not sent, and where one ends at a mark of
  // `delivered`, it must have led to the same flags. To be called before the first batch;
  // `delivered` must outlive this.
  void follow(DeliveredMarks& delivered) { followed_ = &delivered; }

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  // Waits until fewer than batch.in_flight stored batches are undelivered. Rethrows the exception
  // that ended the delivery thread.
  void before_commit(WriteSet& writes) override;
  void after_commit() override;

  // Erases delivered batches from the outbox: a state with an empty outbox has delivered
  // everything. To be called after the last batch.
  void forget_delivered(Store& store);

  // True until the end of the replay is reached.
  bool replaying() const { return replay_.has_value(); }
  // As of the last batch.
  const StateHead& head() const { return head_; }
  const Positions& positions() const { return head_.positions; }
  // Records up to the end of the replay, as of the last batch; 0 without one.
  std::uint64_t replay_left() const;

 private:
  bool sends_batches() const { return !replay_ && followed_ == nullptr; }
  bool is_news() const;
  void keep_trace(const RawRecord& record, std::size_t flag);
  void number_batch(WriteSet& writes);
  void end_replay();
  void prove_followed(WriteSet& writes);
  [[noreturn]] void refuse_flags(const CommitMetadata& wanted) const;
  void trim(WriteSet& writes);

  StateHead head_;
  std::optional<StateHead> replay_;
  ReplayCheck* check_;
  DeliveredMarks* followed_ = nullptr;
  Complete complete_;                  // or null
  std::vector<std::uint64_t> stored_;  // in the outbox, oldest first
  const KafkaDeliveryOptions options_;
  DeliveryThread& thread_;
  StageWatch& watch_;
  Log& log_;
  std::chrono::steady_clock::time_point last_batch_;
  bool sends_ = false;  // the batch that is being committed will be delivered
  Chain chain_;
  std::unique_ptr<DecidedBatch> batch_;      // that is being decided
  std::unique_ptr<DecidedBatch> committed_;  // that is being committed
  std::string encoded_;                      // flags of batch_
  std::vector<const RawRecord*> wanted_;
};

}  // namespace neardup
