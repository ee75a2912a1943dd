// The work of a shard, without Kafka: applies what is decided to its state, and answers what is not
// decided yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "metrics/shard_probe.h"
#include "pipeline/shard/shard.h"
#include "service/kafka/cluster/decisions_reader.h"
#include "service/kafka/cluster/log/undecided_log.h"
#include "service/kafka/cluster/shard/shard_state.h"
#include "storage/store.h"

namespace neardup {

class ShardWork {
 public:
  // `log` begins at `place`, which is that of the store. `window`: how many records behind the last
  // decided one are answered. The references must outlive this.
  ShardWork(const ShardIdentity& identity, const ShardPlace& place, std::uint32_t window,
            Shard& shard, Store& store, UndecidedLog& log, ShardProbe& probe);

  // The next message of the topic of decisions. Throws Failure(kUnavailable) when messages between
  // are missing, or when it does not say what shards have to keep.
  void add(DecidedMessage message);
  // Records of added messages that are not applied yet.
  Seq behind() const { return known_ - shard_.decided() - 1; }

  // The log is needed up to this record.
  Seq wanted() const;

  // Applies added messages whose records the log has, in one commit. False: there is none. Throws
  // Failure(kConfig) when some were decided without this shard, which keeps documents.
  bool apply();

  // What the shard has to say about the next chunk that it has not answered since the last `again`.
  // Nothing: there is none within the window.
  std::optional<Answer> answer();
  // An answer about no record: it says how far the shard is.
  Answer empty_answer() const { return {.first = place_.next, .as_of = place_.next - 1}; }
  // Resends answers for undecided records.
  void answer_again() { next_answer_ = shard_.decided() + 1; }

  const ShardPlace& place() const { return place_; }

 private:
  void apply(const Decided& decided);
  bool answers(const UndecidedChunk& chunk) const;
  void require_nothing_kept(Seq next) const;

  const ShardIdentity& identity_;
  ShardPlace place_;
  const std::uint32_t window_;
  Shard& shard_;
  Store& store_;
  UndecidedLog& log_;
  ShardProbe& probe_;
  std::deque<DecidedMessage> decided_;
  Seq known_;  // the first record that is not decided by any of them
  Seq watermark_;
  Seq next_answer_;
  bool keeps_new_ = false;  // a document that is not in the store yet
  WriteSet writes_;
};

}  // namespace neardup
