#include "service/kafka/deliver/sender.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "service/failpoint.h"
#include "service/kafka/client/client_conf.h"
#include "service/kafka/deliver/producer.h"
#include "service/kafka/read/partition_list.h"

namespace neardup {
namespace {

using std::chrono::steady_clock;

// One Kafka transaction for each batch.
class TransactionalSender : public Sender {
 public:
  TransactionalSender(const KafkaOptions& options, RetryPolicy& retry)
      : producer_(options, ClientRole::kTransactional, retry),
        group_(rd_kafka_consumer_group_metadata_new(options.group_id.c_str())),
        longest_(transaction_timeout(options)),
        retry_(retry) {
    resume(fmt::format("taking over the transactional id {}", transactional_id(options)),
           [this] { return rd_kafka_init_transactions(producer_.handle(), RetryPolicy::kCallMs); });
  }

  void begin() override {
    began_ = steady_clock::now();
    check(KafkaErrorPtr(rd_kafka_begin_transaction(producer_.handle())), "beginning a transaction");
  }

  void produce(const OutgoingMessage& message) override {
    telling_age([&] { producer_.produce(message); });
  }

  void commit(const Positions& to, const CommitMetadata& mark, const TopicIds& ids) override {
    telling_age([&] { send_offsets_and_commit(marked(to, mark, ids)); });
  }

 private:
  void send_offsets_and_commit(const std::vector<OffsetCommit>& commits) {
    const PartitionList offsets = make_list(commits);
    failpoint("before_send_offsets");
    resume("sending offsets to the transaction", [&] {
      return rd_kafka_send_offsets_to_transaction(producer_.handle(), offsets.get(), group_.get(),
                                                  RetryPolicy::kCallMs);
    });
    failpoint("before_commit");
    resume("committing a transaction", [this] {
      return rd_kafka_commit_transaction(producer_.handle(), RetryPolicy::kCallMs);
    });
    failpoint("after_commit");
  }

  // Repeats a call that timed out, which resumes it.
  template <class Call>
  void resume(std::string_view doing, Call call) {
    retry_.until_done(doing, [&] {
      rd_kafka_poll(producer_.handle(), 0);
      KafkaErrorPtr error(call());
      // When a transaction fails during a call, that call only reports the wrong state. The next
      // one reports the cause.
      if (error && rd_kafka_error_code(error.get()) == RD_KAFKA_RESP_ERR__STATE) {
        error.reset(call());
      }
      check(std::move(error), doing);
    });
  }

  // Turns fencing into kExpired if the transaction is older than its timeout: the coordinator then
  // aborts it and reports its producer as fenced, as if another instance had taken over.
  template <class Call>
  void telling_age(Call call) {
    try {
      call();
    } catch (const KafkaError& error) {
      const bool old = steady_clock::now() - began_ >= longest_;
      if (error.error_class() != ErrorClass::kFenced || !old) throw;
      throw KafkaError(ErrorClass::kExpired, error.code(), error.what());
    }
  }

  Producer producer_;
  GroupMetadata group_;
  const std::chrono::milliseconds longest_;
  std::chrono::steady_clock::time_point began_;
  RetryPolicy& retry_;
};

// Sends the messages, then commits the positions: a crash between repeats the batch.
class IdempotentSender : public Sender {
 public:
  IdempotentSender(const KafkaOptions& options, Consumer& consumer, RetryPolicy& retry)
      : producer_(options, ClientRole::kIdempotent, retry), consumer_(consumer), retry_(retry) {}

  void begin() override { retry_.events().take_failed_deliveries(); }

  void produce(const OutgoingMessage& message) override { producer_.produce(message); }

  void commit(const Positions& to, const CommitMetadata& mark, const TopicIds& ids) override {
    retry_.until_done("delivering messages", [this] {
      check(rd_kafka_flush(producer_.handle(), RetryPolicy::kCallMs), "delivering messages");
    });
    if (const std::uint64_t failed = retry_.events().take_failed_deliveries(); failed != 0) {
      throw KafkaError(ErrorClass::kAbortable, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT,
                       fmt::format("{} messages could not be delivered", failed));
    }
    retry_.until_done("committing offsets", [&] { consumer_.commit(marked(to, mark, ids)); });
  }

 private:
  Producer producer_;
  Consumer& consumer_;
  RetryPolicy& retry_;
};

}  // namespace

std::unique_ptr<Sender> make_transactional_sender(const KafkaOptions& options, RetryPolicy& retry) {
  return std::make_unique<TransactionalSender>(options, retry);
}

std::unique_ptr<Sender> make_idempotent_sender(const KafkaOptions& options, Consumer& consumer,
                                               RetryPolicy& retry) {
  return std::make_unique<IdempotentSender>(options, consumer, retry);
}

}  // namespace neardup
