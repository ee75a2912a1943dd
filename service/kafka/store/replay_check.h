// Checks that a replay by an older copy of a state yields the flags that were delivered.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"
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

  // Compares the next flag of the replay, and the chain after it, with the delivered record of that
  // seq. Urls and text_bytes are not compared, since `output.fields` may have changed. Requires:
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

}  // namespace neardup
