// The records that were delivered after a state was copied, read again in the same order.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/ports.h"
#include "service/kafka/read/ordered_input.h"
#include "service/kafka/store/delivered.h"
#include "service/kafka/store/recovery_plan.h"
#include "service/monitor/watchdog.h"

namespace neardup {

class ReplaySource : public Source {
 public:
  // Reads the records after `head` up to `target`. `check` gets the delivered record for each
  // record that is read. All references must outlive the source.
  ReplaySource(std::unique_ptr<DeliveredOrder> order, const StateHead& head,
               const StateHead& target, std::uint64_t max_record_bytes, const Consumer& consumer,
               ReplayCheck& check, RetryPolicy& retry, StageWatch& watch);

  // Ends with the batch that reaches the target, or when `retry` is stopped.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override;
  void interrupt() override { interrupted_ = true; }

 private:
  void take(DeliveredRecord& delivered, class ChunkBuilder& builder);
  std::size_t index_of(const DeliveredRecord& delivered);
  void take_places(const Positions& places);
  void end_at_target();

  const std::unique_ptr<DeliveredOrder> order_;
  const StateHead target_;
  const std::uint64_t max_record_bytes_;
  ReplayCheck& check_;
  RetryPolicy& retry_;
  StageWatch& watch_;
  std::atomic<bool> interrupted_{false};
  OrderedInput input_;
  Positions positions_;
  std::shared_ptr<const Positions> places_;  // the last ones checked
  Seq next_seq_;
  bool ended_ = false;
  std::exception_ptr failure_;  // for the next read: this one still returned records
  KafkaMessage message_;
  std::vector<RawHeader> headers_;
};

}  // namespace neardup
