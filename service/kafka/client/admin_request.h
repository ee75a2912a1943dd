// Sends an admin request and waits for its answer.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "service/kafka/client/handles.h"
#include "service/kafka/client/retry_policy.h"

namespace neardup {

using AdminOptions =
    std::unique_ptr<rd_kafka_AdminOptions_t, Destroy<rd_kafka_AdminOptions_destroy>>;
using TopicNames =
    std::unique_ptr<rd_kafka_TopicCollection_t, Destroy<rd_kafka_TopicCollection_destroy>>;

// `send` sends the request with its options and a queue for the answer. Waits for the answer and
// returns it. Throws KafkaErrors; `doing` completes "… failed".
template <class Send>
KafkaEvent ask_admin(rd_kafka_t* client, rd_kafka_admin_op_t kind, std::string_view doing,
                     Send send) {
  std::array<char, 512> message{};
  const AdminOptions options(rd_kafka_AdminOptions_new(client, kind));
  check(rd_kafka_AdminOptions_set_request_timeout(options.get(), RetryPolicy::kCallMs,
                                                  message.data(), message.size()),
        doing);
  const KafkaQueue queue(rd_kafka_queue_new(client));
  send(options.get(), queue.get());
  KafkaEvent answer(rd_kafka_queue_poll(queue.get(), 2 * RetryPolicy::kCallMs));
  check(answer ? rd_kafka_event_error(answer.get()) : RD_KAFKA_RESP_ERR__TIMED_OUT, doing);
  return answer;
}

}  // namespace neardup
