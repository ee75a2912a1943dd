// The order of records, and their flags, out of the output topic of output.mode flags.
#pragma once

#include <memory>
#include <string>

#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/assignment.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/store/delivered.h"
#include "service/kafka/store/stored_batch.h"
#include "service/records/json_fields.h"

namespace neardup {

// What a flag record says of the record that it answers.
struct FlagPlace {
  Seq seq = 0;
  std::string rule;  // 16 hex digits
  Position source;
};

class FlagPlaceReader {
 public:
  FlagPlaceReader();

  // Nothing unless `json` is a flag record of a message.
  std::optional<FlagPlace> read(std::string_view json);

 private:
  JsonFields fields_;
  std::string padded_;
};

// From seq `first` up to and not including `last`. Flags of other instances in the same topic are
// passed over. `rule`: a flag of another one is refused. The references must outlive the result.
std::unique_ptr<DeliveredOrder> make_output_order(const Consumer& consumer,
                                                  const std::string& topic,
                                                  const Assignment& assignment, RuleStamp rule,
                                                  Seq first, Seq last, RetryPolicy& retry);

}  // namespace neardup
