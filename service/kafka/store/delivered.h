// What has been delivered, and the proof that deciding it again gives the same flags: after a
// restore, and for a decider that follows another one. Both are queues from the thread that reads
// to the thread that decides.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"
#include "pipeline/model/types.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/recovery_plan.h"
#include "service/kafka/store/stored_batch.h"
#include "service/records/flag_writer.h"

namespace neardup {

struct DeliveredRecord {
  Seq seq = 0;
  Position source;    // partition and offset of the record
  std::string flag;   // its flag record; empty: not known
  std::string chain;  // over all flags up to this one, 32 hex digits; empty: not known
  // The partitions by place (positions.h) as of its batch, or null: not known.
  std::shared_ptr<const Positions> places;
};

class DeliveredOrder {
 public:
  virtual ~DeliveredOrder() = default;

  // The next record, without gaps in `seq`. Throws Stopped, and Failure(kUnavailable) with both
  // seqs when the topic does not have it.
  virtual DeliveredRecord next() = 0;
};

// Compares what an older copy of a state decides again with the delivered records.
class ReplayCheck {
 public:
  explicit ReplayCheck(const RuleStamp& rule);

  // Appends delivered records, in the order of seq. Called by the reading thread.
  void expect(std::vector<DeliveredRecord> records);

  // Compares the next flag of the replay, and the chain after it, with the delivered record of that
  // seq. PassedOn is not compared, since `output.fields` may have changed. Requires:
  // the record is expected. Throws Failure(kUnavailable) that shows both sides when they differ.
  // Called by the deciding thread.
  void compare(const Flag& flag, const Chain& chain);

 private:
  DeliveredRecord take();

  Mutex mutex_;
  std::deque<DeliveredRecord> expected_ GUARDED_BY(mutex_);
  TopicPartition partition_;  // of the current flag
  FlagWriter writer_;
  std::string json_;
};

// The marks that another decider has committed.
class DeliveredMarks {
 public:
  // Positions ascend. Called by the reading thread.
  void expect(StateHead head) {
    const MutexLock lock(mutex_);
    expected_.push_back(std::move(head));
  }

  // The mark that was committed with just these positions of the log. Those before are forgotten.
  std::optional<CommitMetadata> take(const Positions& positions) {
    const MutexLock lock(mutex_);
    const std::int64_t offset = positions.front().offset;
    while (!expected_.empty() && expected_.front().positions.front().offset < offset)
      expected_.pop_front();
    if (expected_.empty() || expected_.front().positions != positions) return {};
    CommitMetadata mark = std::move(expected_.front().mark);
    expected_.pop_front();
    return mark;
  }

 private:
  Mutex mutex_;
  std::deque<StateHead> expected_ GUARDED_BY(mutex_);
};

}  // namespace neardup
