// `neardup serve` on topics: a process that reads, decides and delivers alone, or the decider of a
// cluster, which reads the log and follows the leader until it leads itself.
//
// Threads: one reads, some prepare, that of `serve` decides and commits, one delivers committed
// batches, at most batch.in_flight behind; searches, checks and documents over HTTP have separate
// ones.
// Durable: one commit holds a batch's documents and, in the outbox, its flags and positions. Only
// then is it sent, and flags, order and offsets become visible in one transaction
// (kafka.guarantee).
// After a crash the start compares outbox and committed offsets: batches that were stored and not
// committed are delivered first, with the same bytes; records that were not stored are read again.
// A stop ends reading, decides the records that were read, and delivers them. The next start
// delivers what a drain did not.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/ingest/documents_port.h"
#include "service/kafka/decider_log.h"
#include "service/kafka/deliver/deliverer.h"
#include "service/kafka/deliver/delivery_thread.h"
#include "service/kafka/deliver/kafka_delivery.h"
#include "service/kafka/produce/flag_waits.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/read/replay_source.h"
#include "service/kafka/start/recovery.h"
#include "service/serve/deciding.h"
#include "service/serve/service_runner.h"

namespace neardup {

KafkaUse kafka_of_topics(const Config& config);

class KafkaService : public Role {
 public:
  // `url`: of the control requests, which is announced to commands. `runner` must outlive this, and
  // have clients of kafka_of_topics.
  KafkaService(ServiceRunner& runner, DocumentsPorts ports, std::string url);

  void start() override;
  void serve() override;
  void look(bool reachable) override;
  std::optional<std::string> not_ready_reason() const override;
  std::string_view unfinished() const override {
    return "stored batches are delivered at the next start";
  }

 private:
  // Where it begins to decide, and whether another decider delivers.
  struct Stretch {
    Recovered from;
    bool follows = false;
    bool ordered() const { return from.replay && from.order != OrderFrom::kInput; }
  };

  Stretch follow();
  Recovered recover();
  void decide(const Stretch& stretch);
  void read_and_drain(const Stretch& stretch, Deciding& deciding, KafkaDelivery& delivery,
                      DeliveryThread& thread, ReplayCheck& check);
  void read(const Stretch& stretch, Deciding& deciding, KafkaDelivery& delivery,
            ReplayCheck& check);
  void read_on(const Stretch& stretch, KafkaDelivery& delivery);
  std::unique_ptr<KafkaSource> read_topics(Positions positions,
                                           std::optional<std::int64_t> end_batch_at);
  std::unique_ptr<ReplaySource> make_replay(const Recovered& recovered, ReplayCheck& check);
  void show_state(const Stretch& stretch, const KafkaDelivery& delivery);
  MessageWriter make_writer(const StoredBatch& batch) const;
  std::unique_ptr<Sender> make_sender();
  void deliver(const DecidedBatch& batch);
  void commit_again(const StateHead& head);
  RuleStamp rule() const;
  LogRecoveryOptions log_options() const;

  ServiceRunner& runner_;
  const Config& config_;
  Log& log_;
  Control& control_;
  KafkaClients& kafka_;
  const DocumentsPorts ports_;
  const std::string url_;
  std::atomic<bool> ready_{false};        // decides, or follows
  std::atomic<bool> took_topics_{false};  // the source has accepted recreated topics
  MessageLimits limits_;
  std::string layout_;
  LayoutChange layout_change_ = LayoutChange::kNone;
  std::optional<Recovered> recovered_;  // by `start`
  std::optional<DeciderLog> decider_;
  Deliverer deliverer_;
  FlagWaits waits_;
  // Members, since closing a source can hang: they are closed only after the outcome is reported
  // (commands/serve.cc).
  std::unique_ptr<Source> replay_;
  std::unique_ptr<Source> source_;
};

}  // namespace neardup
