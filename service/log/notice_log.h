// A service's log lines about what it did not understand: one for each kind, when it comes first.
// The metric neardup_notices_total counts on.
#pragma once

#include "pipeline/base/mutex.h"
#include "pipeline/model/notice.h"
#include "service/log/log.h"

namespace neardup {

// Any thread may make any call.
class NoticeLog {
 public:
  explicit NoticeLog(Log& log) : log_(log) {}

  // To be called often, with what was counted since the start or since the last call. Waits for no
  // one but another call.
  void show(const NoticeCounts& counts);

 private:
  Log& log_;
  Mutex mutex_;
  NoticeSet shown_ GUARDED_BY(mutex_);
};

}  // namespace neardup
