// Keeps the index of keywords of a state up to date, concurrently with the deciding thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "pipeline/base/mutex.h"
#include "storage/similar/keyword_index.h"
#include "storage/store.h"

namespace neardup {

class IndexKeeper {
 public:
  // `on_error` is called for each error of the thread, which retries. The references must outlive
  // this. Requires: the caller owns the store, and has set its index.
  IndexKeeper(Store& store, std::shared_ptr<KeywordIndex> index,
              std::function<void(const std::string&)> on_error,
              std::chrono::milliseconds between = std::chrono::seconds(1));
  const std::shared_ptr<KeywordIndex>& index() const { return index_; }
  // Waits for a step that is under way.
  ~IndexKeeper();
  IndexKeeper(const IndexKeeper&) = delete;
  IndexKeeper& operator=(const IndexKeeper&) = delete;

 private:
  void keep() EXCLUDES(mutex_);
  void step();

  Store& store_;
  std::shared_ptr<KeywordIndex> index_;
  std::function<void(const std::string&)> on_error_;
  std::chrono::milliseconds between_;  // two steps
  Mutex mutex_;
  ConditionVariable ended_changed_;
  bool ended_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// Indexes all documents that the store has, and merges what is due.
void bring_up_to_date(Store& store, KeywordIndex& index);

}  // namespace neardup
