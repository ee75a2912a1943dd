// A batch of a resolver, from its first decision to its delivery: the flags, and the message of the
// topic of decisions that says what they change. No Kafka in here.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "metrics/pipeline_probe.h"
#include "pipeline/shard/merged_resolver.h"
#include "service/cluster/decided.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/read/decided_batch.h"
#include "service/kafka/store/chain.h"
#include "storage/store.h"

namespace neardup {

class ResolvedBatches {
 public:
  struct Start {
    std::string cluster;  // its uuid
    RuleStamp rule;
    bool keeps_ages = false;             // retention needs them
    Seq next = 1;                        // the first record to be decided
    std::string chain;                   // over the flags before it
    Position log;                        // the committed offset
    std::optional<CommitMetadata> mark;  // with it
    std::string leader;                  // a uuid of this leadership, for the marks that it commits
  };
  explicit ResolvedBatches(Start start);

  // The decision about a record of `chunk`, which arrived at `arrived`. `age`: of its version.
  void add(MergedResolver::Decision decision, const UndecidedChunk& chunk, const Age& age,
           std::chrono::steady_clock::time_point arrived);

  // Records of the batch that is being made.
  std::size_t size() const { return batch_->stored.flags.size(); }
  // The first record after it.
  Seq next() const { return next_; }
  // Where the batches end that were taken.
  std::int64_t offset() const { return log_.offset; }

  // Of all flags so far, and of the batch that is being made.
  StoredBatchReport& counts() { return counts_; }

  // What else a batch says.
  struct End {
    LogPlace place;       // of the record `next`
    Placement placement;  // that holds there
    Positions sources;    // of the log, those of all flags among them
    StreamTime time;
    Seq watermark = 0;
    bool again = false;
  };
  // The batch; another one begins.
  std::unique_ptr<DecidedBatch> take(End end);

 private:
  std::string encode(const End& end);

  const Start start_;
  Seq first_;
  Seq next_;
  Position log_;
  std::optional<CommitMetadata> mark_;
  Chain chain_;
  std::unique_ptr<DecidedBatch> batch_;
  std::vector<Effect> effects_;
  std::vector<Age> ages_;
  std::string encoded_;  // the last flag
  StoredBatchReport counts_;
};

}  // namespace neardup
