// What a service has delivered, read back from Kafka: the order of its records, and their flags. An
// older copy of the state replays the records in that order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/model/types.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// A message of the output or of the order topic, for the records first … next − 1.
struct DeliveredPiece {
  Seq first = 0;
  Seq next = 0;
  std::string value;     // of the message
  Position source = {};  // the flag's record; only from the output topic
};

struct DeliveredRecord {
  Seq seq = 0;
  Position source;    // partition and offset of the record
  std::string flag;   // its flag record; empty: not known
  std::string chain;  // over all flags up to this one, 32 hex digits; empty: not known
  // The partitions by place (positions.h) as of its batch, or null: not known.
  std::shared_ptr<const Positions> places;
};

class DeliveredOrder {
 public:
  virtual ~DeliveredOrder() = default;

  // The next record, without gaps in `seq`. Throws Stopped, and Failure(kUnavailable) with both
  // seqs when the topic does not have it.
  virtual DeliveredRecord next() = 0;
};

}  // namespace neardup
