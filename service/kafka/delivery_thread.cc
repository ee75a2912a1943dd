#include "service/kafka/delivery_thread.h"

namespace neardup {

DeliveryThread::DeliveryThread(std::uint32_t in_flight, std::uint64_t delivered, Deliver deliver,
                               std::function<void()> on_failure)
    : in_flight_(in_flight),
      deliver_(std::move(deliver)),
      on_failure_(std::move(on_failure)),
      delivered_(delivered),
      thread_([this] { run(); }) {}

DeliveryThread::~DeliveryThread() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DeliveryThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ended_ || !batches_.empty(); });
    if (ended_) return;
    const DecidedBatch& batch = *batches_.front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      deliver_(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) {
      failure_ = failure;
      ended_ = true;
      on_failure_();
    } else {
      delivered_ = batch.stored.after.batch;
      batches_.pop_front();
    }
    changed_.notify_all();
  }
}

void DeliveryThread::throw_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

void DeliveryThread::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || batches_.size() < in_flight_; });
  throw_failure();
}

void DeliveryThread::push(std::unique_ptr<DecidedBatch> batch) {
  {
    const std::lock_guard lock(mutex_);
    batches_.push_back(std::move(batch));
  }
  changed_.notify_all();
}

void DeliveryThread::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || batches_.empty(); });
  throw_failure();
}

std::uint64_t DeliveryThread::delivered() const {
  const std::lock_guard lock(mutex_);
  return delivered_;
}

std::size_t DeliveryThread::undelivered() const {
  const std::lock_guard lock(mutex_);
  return batches_.size();
}

}  // namespace neardup
