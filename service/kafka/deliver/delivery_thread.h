// A thread that delivers stored batches in order while the next ones are decided.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "pipeline/base/mutex.h"
#include "service/kafka/read/decided_batch.h"

namespace neardup {

class DeliveryThread {
 public:
  using Deliver = std::function<void(const DecidedBatch&)>;

  // The thread calls `deliver` for one batch after another. An exception from it ends the delivery
  // and calls `on_failure`. `delivered`: the number of the last delivered batch. At most
  // `in_flight` batches are stored and not delivered.
  DeliveryThread(std::uint32_t in_flight, std::uint64_t delivered, Deliver deliver,
                 std::function<void()> on_failure);
  // Waits for the current batch, but not for the later ones. Requires: its `deliver` comes to an
  // end.
  ~DeliveryThread();

  // Waits until fewer than `in_flight` batches are undelivered. Rethrows the exception that ended
  // the delivery.
  void wait_for_room();
  void push(std::unique_ptr<DecidedBatch> batch);
  // Waits until all batches are delivered. Rethrows the exception that ended the delivery.
  void drain();

  std::uint64_t delivered() const;
  // Batches that were pushed but are not delivered; any thread.
  std::size_t undelivered() const;

 private:
  void run();
  const DecidedBatch* next();
  void finish(std::uint64_t batch, const std::exception_ptr& failure);
  void throw_failure() const REQUIRES(mutex_);

  const std::uint32_t in_flight_;
  const Deliver deliver_;
  const std::function<void()> on_failure_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::unique_ptr<DecidedBatch>> batches_ GUARDED_BY(mutex_);  // first: in delivery
  std::uint64_t delivered_ GUARDED_BY(mutex_);
  std::exception_ptr failure_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace neardup
