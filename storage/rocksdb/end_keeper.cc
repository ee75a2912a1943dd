#include "storage/rocksdb/end_keeper.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

constexpr std::chrono::seconds kBetweenEnds{2};

// Adds an end that reaches so far. Requires: all of it is in the files.
void put_end(const std::string& state, const Reach& reach, EndFiles& files, StoredEnd& end) {
  StoredEnd next = end;
  ++next.number;
  next.next_seq = std::max(end.next_seq, reach.next_seq);
  next.sequence = std::max(end.sequence, reach.sequence);
  files.follow(next);
  std::filesystem::exists(end_path(state)) ? write_end(state, next) : create_end(state, next);
  end = std::move(next);
}

}  // namespace

EndKeeper::EndKeeper(const std::string& state, const std::string& uuid,
                     std::function<Reach()> reach, std::shared_ptr<WatchedFiles> watched)
    : state_(state),
      reach_(std::move(reach)),
      watched_(std::move(watched)),
      files_(state, watched_) {
  end_.uuid = uuid;
  if (const auto before = read_end(state)) end_.number = before->number;
  watched_->watch([this](std::uint64_t log) { return may_delete(log); });
  try {
    write(reach_());
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    watched_->watch({});
    throw;
  }
}

EndKeeper::~EndKeeper() {
  end_thread();
  watched_->watch({});
}

void EndKeeper::committed() {
  if (failed_) {
    const MutexLock lock(mutex_);
    std::rethrow_exception(failure_);
  }
  if (!std::exchange(has_commit_, true)) return write(reach_());
  if (is_due_.exchange(true)) return;
  const MutexLock lock(sleep_);
  wake_.notify_all();
}

void EndKeeper::finish() {
  end_thread();
  try {
    const Reach reach = reach_();
    for (int slot = 0; slot < 2; ++slot) write(reach);
  } catch (const std::exception&) {
    // The end before it holds, too.
  }
}

void EndKeeper::run() {
  while (wait_for_commit()) {
    try {
      write(reach_());
    } catch (...) {
      const MutexLock lock(mutex_);
      failure_ = std::current_exception();
      failed_ = true;
      return;
    }
    pause();
  }
}

// False: the thread is to end.
bool EndKeeper::wait_for_commit() {
  MutexLock lock(sleep_);
  while (!ended_ && !is_due_) wake_.wait(lock);
  is_due_ = false;
  return !ended_;
}

void EndKeeper::pause() {
  const auto until = std::chrono::steady_clock::now() + kBetweenEnds;
  MutexLock lock(sleep_);
  while (!ended_ && wake_.wait_until(lock, until)) continue;
}

// `reach` was read before: what it counts is in the files by now.
void EndKeeper::write(const Reach& reach) {
  const MutexLock lock(mutex_);
  put_end(state_, reach, files_, end_);
}

// The files that make the log needless are synced, and named before it goes.
bool EndKeeper::may_delete(std::uint64_t log) {
  const MutexLock lock(mutex_);
  try {
    files_.forget(log);
    put_end(state_, {}, files_, end_);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void EndKeeper::end_thread() {
  {
    const MutexLock lock(sleep_);
    ended_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void write_end_of(const std::string& state, const std::string& uuid, const Reach& reach) {
  EndFiles files(state, nullptr);
  StoredEnd end;
  end.uuid = uuid;
  put_end(state, reach, files, end);
}

}  // namespace neardup
