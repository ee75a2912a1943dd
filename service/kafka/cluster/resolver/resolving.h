// The decisions of a resolver: the records of the log in the order of their seqs, from the answers
// of the shards that hold documents then. No Kafka and no clock in here.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/rule/rule.h"
#include "pipeline/shard/merged_resolver.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/cluster/resolver/answer_book.h"
#include "service/kafka/cluster/resolver/resolved_batch.h"

namespace neardup {

// Does retention need the ages of documents, so that decisions include them?
bool needs_ages(const RetentionOptions& options);

// One thread.
class Resolving {
 public:
  // All begin at the same record. The references must outlive this.
  Resolving(const Rule& rule, const CpuOptions& cpu, const MergedResolver::Start& start,
            UndecidedLog& undecided, AnswerBook& book, ResolvedBatches& batches);

  enum class Outcome : std::uint8_t {
    kDecided,
    kNoRecord,   // the log has no more
    kNoAnswers,  // of the shards in `missing`
    kShortList,  // shards have to answer again: `take` with again = true
  };
  // Decides the next record, which arrived at `arrived`.
  Outcome decide(std::chrono::steady_clock::time_point arrived);
  const std::vector<std::uint32_t>& missing() const { return answers_.missing(); }

  // The first record that is not decided.
  Seq next() const { return resolver_.decided() + 1; }
  // Records that were decided and that answers need not know.
  std::uint64_t window() const { return resolver_.decided() - resolver_.base(); }
  const StreamTime& time() const { return resolver_.time(); }

  // What was decided since the last call, for delivery. again: shards must resend answers, from the
  // record `next` on; earlier answers are of no use from now on.
  std::unique_ptr<DecidedBatch> take(bool again);

 private:
  MergedResolver resolver_;
  UndecidedLog& undecided_;
  AnswerBook& book_;
  ResolvedBatches& batches_;
  ChunkAnswers answers_;
};

}  // namespace neardup
