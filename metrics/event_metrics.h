// Events of all probes, counted in a registry.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "metrics/kafka_probe.h"
#include "metrics/pipeline_probe.h"
#include "metrics/registry.h"
#include "metrics/resolver_probe.h"
#include "metrics/shard_probe.h"
#include "metrics/sketcher_probe.h"

namespace neardup {

class EventMetrics : public PipelineProbe,
                     public KafkaProbe,
                     public SketcherProbe,
                     public ResolverProbe,
                     public ShardProbe {
 public:
  // `registry` must outlive this.
  explicit EventMetrics(MetricRegistry& registry) : registry_(registry) {}

  void batch_stored(const StoredBatchReport& batch) override;
  void state_stands(std::uint64_t last_seq, std::int64_t stream_time_ms) override;
  void records_read(std::uint64_t records, std::uint64_t bytes) override;
  void log_message_read(LogUse use) override;
  void batch_delivered(const DeliveredBatchReport& batch) override;
  void delivery_failed(AbortReason reason) override;
  void producer_made_anew() override;
  void batch_appended(const AppendedBatchReport& batch) override;
  void source_restarted() override;
  void append_failed() override;
  void paused(double seconds) override;
  void answer_read(AnswerUse use) override;
  void answers_asked_for_again(AgainReason reason) override;
  void batch_resolved(const StoredBatchReport& batch) override;
  void resolver_stands(std::uint64_t window, std::uint64_t epoch) override;
  void decisions_applied(const AppliedReport& report) override;
  void chunk_answered(const AnsweredReport& report) override;
  void answering_failed() override;

  // Records by NoticeKind. Any thread.
  void count_notices(const NoticeCounts& records);

 private:
  using CountsByReason = std::map<std::string, std::uint64_t, std::less<>>;

  void count_documents(const StoredBatchReport& batch);
  void count_dead_letters(const CountsByReason& dead_letters);
  void observe_stage(BatchStage stage, double seconds);

  MetricRegistry& registry_;
};

}  // namespace neardup
