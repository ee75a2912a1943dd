// The events of reading from Kafka and of delivering to it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "metrics/catalogue.h"
#include "metrics/labels.h"
#include "metrics/local_histogram.h"

namespace neardup {

// A batch whose flags and positions are committed.
struct DeliveredBatchReport {
  std::uint64_t output_messages = 0;
  std::map<std::string, std::uint64_t, std::less<>> dead_letters;  // by reason
  double produce_seconds = 0;
  double commit_seconds = 0;
  LocalHistogram arrival_to_flag{metric_info(Metric::kArrivalToFlag).buckets};
  LocalHistogram record_age{metric_info(Metric::kRecordAge).buckets};

  std::uint64_t dead_letter_messages() const {
    std::uint64_t sum = 0;
    for (const auto& [reason, count] : dead_letters) sum += count;
    return sum;
  }
};

class KafkaProbe {
 public:
  virtual ~KafkaProbe() = default;
  // Called by the reading thread for several records; `bytes`: keys, values and headers.
  virtual void records_read(std::uint64_t records, std::uint64_t bytes) = 0;
  // Called by the reading thread of a cluster's log.
  virtual void log_message_read(LogUse use) = 0;
  // The others are called by the delivering thread.
  virtual void batch_delivered(const DeliveredBatchReport& batch) = 0;
  virtual void delivery_failed(AbortReason reason) = 0;
  virtual void producer_made_anew() = 0;
};

}  // namespace neardup
