#include "service/search/index_keeper.h"

#include <utility>

#include "pipeline/base/failure.h"

namespace neardup {

void bring_up_to_date(Store& store, KeywordIndex& index) {
  const auto view = store.sketches();
  index.follow(*view);
  index.maintain(*view);
}

IndexKeeper::IndexKeeper(Store& store, std::shared_ptr<KeywordIndex> index,
                         std::function<void(const std::string&)> on_error,
                         std::chrono::milliseconds between)
    : store_(store), index_(std::move(index)), on_error_(std::move(on_error)), between_(between) {
  store_.sketches();  // the first call is the owner's
  thread_ = std::thread([this] { keep(); });
}

IndexKeeper::~IndexKeeper() {
  {
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  ended_changed_.notify_all();
  thread_.join();
}

void IndexKeeper::keep() {
  for (;;) {
    step();
    MutexLock lock(mutex_);
    const auto next = std::chrono::steady_clock::now() + between_;
    while (!ended_ && ended_changed_.wait_until(lock, next)) {
    }
    if (ended_) return;
  }
}

// What an error keeps from being indexed is indexed by a later step: the rows have it.
void IndexKeeper::step() {
  try {
    bring_up_to_date(store_, *index_);
  } catch (const Failure& failure) {
    on_error_(failure.what());
  }
}

}  // namespace neardup
