// The records of the log of a cluster that count, sketched by others.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/kafka_probe.h"
#include "pipeline/ports.h"
#include "pipeline/rule/rule.h"
#include "service/cluster/log_order.h"
#include "service/kafka/cluster/log/log_counter.h"
#include "service/log/log.h"

namespace neardup {

class LogSource : public Source {
 public:
  // `messages`: those of the log, each as one record. `cluster`: its uuid. `state`: how far the log
  // was read, as stored with the position where `messages` begins. The references must outlive
  // this.
  LogSource(std::unique_ptr<Source> messages, const Rule& rule, std::string cluster, LogState state,
            SimdLevel simd, KafkaProbe& probe, Log& log);

  // A message is not divided between two chunks, so there may be up to 255 records more than
  // `max_records`. Throws Failure(kUnavailable) for a message of a newer format.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  // Those of the messages, and kMetaLogState.
  std::vector<std::pair<std::string, std::string>> positions() override;
  void interrupt() override { messages_->interrupt(); }

 private:
  void take(const RawRecord& raw, class ChunkBuilder& builder);
  void add(const RawRecord& raw, class ChunkBuilder& builder);

  const std::unique_ptr<Source> messages_;
  LogCounter counter_;
  RawChunk raw_;
  std::unique_ptr<SketchedBatch> batch_;
  std::exception_ptr failure_;           // for the next read: this one still returned records
  std::optional<std::int64_t> stopped_;  // the offset of the message that cannot be read
};

}  // namespace neardup
