// The log of a cluster up to what another decider has delivered.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/client/retry_policy.h"
#include "service/kafka/read/consumer.h"
#include "service/kafka/read/kafka_source.h"
#include "service/kafka/store/delivered.h"
#include "service/monitor/watchdog.h"

namespace neardup {

class FollowSource : public Source {
 public:
  // `records` are those of `messages`, a part of it, which reads the log from `start` on. Each mark
  // that the other decider commits is given to `marks`, and a batch ends there. The source ends
  // when `leads` is true. The references must outlive this.
  FollowSource(std::unique_ptr<Source> records, KafkaSource& messages, const Position& start,
               const Consumer& consumer, DeliveredMarks& marks, std::function<bool()> leads,
               RetryPolicy& retry, StageWatch& watch);

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override {
    return records_->positions();
  }
  void interrupt() override;

 private:
  bool ends() const { return interrupted_ || leads_() || retry_.stop(); }
  std::optional<CommittedOffset> read_committed();
  void look_for_mark();

  const std::unique_ptr<Source> records_;
  KafkaSource& messages_;
  Position reached_;  // the last mark, or the start
  const Consumer& consumer_;
  DeliveredMarks& marks_;
  const std::function<bool()> leads_;
  RetryPolicy& retry_;
  StageWatch& watch_;
  std::atomic<bool> interrupted_{false};
  std::int64_t target_;  // the offset up to which records are read
};

}  // namespace neardup
