// The delivered order of records, read back from kafka.order_topic.
#pragma once

#include <memory>
#include <string>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/store/delivered.h"

namespace neardup {

// The order of the records after `from` up to `target`, two marks of one state. `key`: the key of
// this instance's messages, its transactional id. The references must outlive the result.
std::unique_ptr<DeliveredOrder> make_topic_order(const Consumer& consumer, const std::string& topic,
                                                 std::string key, const CommitMetadata& from,
                                                 const CommitMetadata& target, RetryPolicy& retry);

}  // namespace neardup
