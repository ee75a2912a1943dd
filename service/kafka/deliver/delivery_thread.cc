#include "service/kafka/deliver/delivery_thread.h"

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
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DeliveryThread::run() {
  while (const DecidedBatch* batch = next()) {
    std::exception_ptr failure;
    try {
      deliver_(*batch);
    } catch (...) {
      failure = std::current_exception();
    }
    finish(batch->stored.after.batch, failure);
  }
}

// Waits for the next batch; null at the end. It stays the first of `batches_` until `finish`.
const DecidedBatch* DeliveryThread::next() {
  MutexLock lock(mutex_);
  while (!ended_ && batches_.empty()) changed_.wait(lock);
  return ended_ ? nullptr : batches_.front().get();
}

void DeliveryThread::finish(std::uint64_t batch, const std::exception_ptr& failure) {
  {
    const MutexLock lock(mutex_);
    if (failure) {
      failure_ = failure;
      ended_ = true;
      on_failure_();
    } else {
      delivered_ = batch;
      batches_.pop_front();
    }
  }
  changed_.notify_all();
}

void DeliveryThread::throw_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

void DeliveryThread::wait_for_room() {
  MutexLock lock(mutex_);
  while (!ended_ && batches_.size() >= in_flight_) changed_.wait(lock);
  throw_failure();
}

void DeliveryThread::push(std::unique_ptr<DecidedBatch> batch) {
  {
    const MutexLock lock(mutex_);
    batches_.push_back(std::move(batch));
  }
  changed_.notify_all();
}

void DeliveryThread::drain() {
  MutexLock lock(mutex_);
  while (!ended_ && !batches_.empty()) changed_.wait(lock);
  throw_failure();
}

std::uint64_t DeliveryThread::delivered() const {
  const MutexLock lock(mutex_);
  return delivered_;
}

std::size_t DeliveryThread::undelivered() const {
  const MutexLock lock(mutex_);
  return batches_.size();
}

}  // namespace neardup
