// What a service has delivered, read back from Kafka: the order in which it took its records, and
// what it said of them. An older copy of the state decides them again in that order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/core/types.h"
#include "service/kafka/message/positions.h"

namespace neardup {

// A message of the output or of the order topic: what was delivered for the records first … next−1.
struct DeliveredPiece {
  Seq first = 0;
  Seq next = 0;
  std::string value;     // the message's, as delivered
  Position source = {};  // a flag's record
};

struct DeliveredRecord {
  Seq seq = 0;
  Position source;    // partition and offset of the record
  std::string flag;   // its flag record; empty: not known
  std::string chain;  // over all flags up to this one, 32 hex digits; empty: not known
  // The places of all partitions at that time, or null: not known.
  std::shared_ptr<const Positions> places;
};

class DeliveredOrder {
 public:
  virtual ~DeliveredOrder() = default;

  // The next record, without gaps in `seq`. Throws Failure(kUnavailable) with both numbers when the
  // topic does not hold it, Stopped.
  virtual DeliveredRecord next() = 0;
};

}  // namespace neardup
