// The delivered order of records, read back from the order topic, or with their flags from the
// output topic of output.mode flags.
#pragma once

#include <memory>
#include <string>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/message/topic_ids.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/store/delivered.h"
#include "service/kafka/store/stored_batch.h"
#include "service/records/json_fields.h"

namespace neardup {

// From kafka.order_topic: the records after `from` up to `target`, two marks of one state. `key`:
// the key of this instance's messages, its transactional id. `now`: the ids of the input topics; a
// record that was read of another topic under its name is refused with Failure(kUnavailable). The
// references must outlive the result.
std::unique_ptr<DeliveredOrder> make_topic_order(const Consumer& consumer, const std::string& topic,
                                                 std::string key, const CommitMetadata& from,
                                                 const CommitMetadata& target, TopicIds now,
                                                 RetryPolicy& retry);

// Seq, rule and source position in a flag record.
struct FlagPlace {
  Seq seq = 0;
  std::string rule;  // 16 hex digits
  Position source;
};

class FlagPlaceReader {
 public:
  FlagPlaceReader();

  // Nothing unless `json` is a flag record that has a topic as its source.
  std::optional<FlagPlace> read(std::string_view json);

 private:
  JsonFields fields_;
  std::string padded_;
};

// From the output topic: the seqs first … last − 1. Skips flags of other instances in the same
// topic. `next` throws Failure(kUnavailable) for a flag of another rule than `rule`. The references
// must outlive the result.
std::unique_ptr<DeliveredOrder> make_output_order(const Consumer& consumer,
                                                  const std::string& topic,
                                                  const Assignment& assignment, RuleStamp rule,
                                                  Seq first, Seq last, RetryPolicy& retry);

}  // namespace neardup
