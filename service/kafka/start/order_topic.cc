#include <fmt/core.h>

#include <utility>

#include "pipeline/base/failure.h"
#include "service/kafka/start/delivered_order.h"
#include "service/kafka/start/delivered_topic.h"
#include "service/kafka/start/topic_check.h"
#include "service/kafka/store/order_message.h"

namespace neardup {
namespace {

class TopicOrder : public DeliveredOrder {
 public:
  TopicOrder(const Consumer& consumer, const std::string& topic, std::string key,
             const CommitMetadata& from, const CommitMetadata& target, TopicIds now,
             RetryPolicy& retry)
      : topic_(topic),
        key_(std::move(key)),
        target_(target),
        now_(std::move(now)),
        first_(from.next_seq),
        seq_(from.next_seq),
        delivered_(
            consumer, topic, first_, [this](const auto& message) { return parse(message); }, retry),
        merge_(topic, delivered_.partitions(), first_, target.next_seq,
               [this](std::size_t partition) { return delivered_.read(partition); }) {}

  DeliveredRecord next() override {
    while (seq_ >= end_) take_message();
    while (run_->records <= passed_) {
      ++run_;
      passed_ = 0;
    }
    DeliveredRecord record;
    record.seq = seq_++;
    record.source = {(*places_)[run_->input].partition,
                     run_->offset + static_cast<std::int64_t>(passed_++)};
    record.places = places_;
    if (seq_ == end_) record.chain = order_.after.chain;
    return record;
  }

 private:
  std::optional<DeliveredPiece> parse(const rd_kafka_message_t& message) {
    const std::string_view key(static_cast<const char*>(message.key), message.key_len);
    if (message.payload == nullptr || message.key == nullptr || key != key_) return {};
    const std::string_view value = value_of(message);
    const auto head = decode_order_head(value);
    if (!head) return {};
    if (head->after.next_seq > first_ && head->first < target_.next_seq) require_state(*head);
    return DeliveredPiece{.first = head->first,
                          .next = head->after.next_seq,
                          .value = std::string(value),
                          .source = {}};
  }

  void require_state(const OrderMessage& order) const {
    if (order.after.state == target_.state) return;
    throw Failure(
        Exit::kUnavailable,
        fmt::format("topic {} has the order of seq {} to {} of state {}, but what was delivered up "
                    "to seq {} is of state {}: two services wrote there under the key {}. Nothing "
                    "was sent. Restore a newer copy of the state, or build a new one with another "
                    "kafka.group_id and separate topics.",
                    topic_, order.first, order.after.next_seq - 1, order.after.state,
                    target_.next_seq - 1, target_.state, key_));
  }

  void take_message() {
    const DeliveredPiece piece = merge_.next();
    auto order = decode_order(piece.value);
    if (!order) {
      throw Failure(Exit::kUnavailable,
                    fmt::format("topic {}: the order of seq {} to {} cannot be read, its bytes are "
                                "damaged. Nothing was sent. Restore a newer copy of the state",
                                topic_, piece.first, piece.next - 1));
    }
    order_ = *std::move(order);
    require_same_topics();
    places_ = std::make_shared<const Positions>(order_.places);
    end_ = order_.after.next_seq;
    run_ = order_.runs.begin();
    pass_to(seq_);
  }

  void require_same_topics() const {
    if (made_again(order_.ids, now_).empty()) return;
    for (const OrderRun& run : order_.runs) {
      require_same_topic(order_.places[run.input].partition.topic, order_.ids, now_);
    }
  }

  // A state that was copied during a replay can be in the middle of a batch.
  void pass_to(Seq seq) {
    passed_ = 0;
    for (std::uint64_t left = seq - order_.first; left > 0; ++run_) {
      if (left < run_->records) {
        passed_ = left;
        return;
      }
      left -= run_->records;
    }
  }

  const std::string topic_;
  const std::string key_;
  const CommitMetadata target_;
  const TopicIds now_;
  const Seq first_;
  Seq seq_;                                  // of the next record
  Seq end_ = 0;                              // of the current message
  OrderMessage order_;                       // the current message
  std::shared_ptr<const Positions> places_;  // its positions, by place
  std::vector<OrderRun>::const_iterator run_;
  std::uint64_t passed_ = 0;  // records of *run_ that were returned
  DeliveredTopic delivered_;
  DeliveredMerge merge_;
};

}  // namespace

std::unique_ptr<DeliveredOrder> make_topic_order(const Consumer& consumer, const std::string& topic,
                                                 std::string key, const CommitMetadata& from,
                                                 const CommitMetadata& target, TopicIds now,
                                                 RetryPolicy& retry) {
  return std::make_unique<TopicOrder>(consumer, topic, std::move(key), from, target, std::move(now),
                                      retry);
}

}  // namespace neardup
