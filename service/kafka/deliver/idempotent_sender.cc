// Without transactions: sends the messages, then commits the positions (guarantee: at_least_once).
#include <fmt/core.h>

#include "service/kafka/deliver/producer.h"
#include "service/kafka/deliver/sender.h"

namespace neardup {
namespace {

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

std::unique_ptr<Sender> make_idempotent_sender(const KafkaOptions& options, Consumer& consumer,
                                               RetryPolicy& retry) {
  return std::make_unique<IdempotentSender>(options, consumer, retry);
}

}  // namespace neardup
