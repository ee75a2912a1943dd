// Checks that a replay by an older copy of a state yields the flags that were delivered.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "pipeline/core/mutex.h"
#include "service/kafka/store/chain.h"
#include "service/kafka/store/delivered.h"
#include "service/kafka/store/stored_batch.h"
#include "service/records/flag_writer.h"

namespace neardup {

class ReplayCheck {
 public:
  explicit ReplayCheck(const RuleStamp& rule);

  // Appends delivered records, in the order of seq. Called by the reading thread.
  void expect(std::vector<DeliveredRecord> records);

  // The next flag as it is decided now, and the chain behind it. Requires: it is expected. Throws
  // Failure(kUnavailable) that shows both sides when it differs. Called by the thread that decides.
  void compare(const Flag& flag, const Chain& chain);

 private:
  DeliveredRecord take();

  Mutex mutex_;
  std::deque<DeliveredRecord> expected_ GUARDED_BY(mutex_);
  TopicPartition partition_;  // of the current flag
  FlagWriter writer_;
  std::string json_;
};

}  // namespace neardup
