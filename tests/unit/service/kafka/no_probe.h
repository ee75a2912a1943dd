// A probe that counts nothing.
#pragma once

#include "metrics/kafka_probe.h"

namespace neardup {

class NoProbe : public KafkaProbe {
 public:
  void records_read(std::uint64_t, std::uint64_t) override {}
  void log_message_read(LogUse) override {}
  void batch_delivered(const DeliveredBatchReport&) override {}
  void delivery_failed(AbortReason) override {}
  void producer_made_anew() override {}
};

}  // namespace neardup
