#include "service/kafka/deliver/delivery_thread.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <vector>

namespace neardup::TEST_FILE {
namespace {

std::unique_ptr<DecidedBatch> batch(std::uint64_t number) {
  auto made = std::make_unique<DecidedBatch>();
  made->stored.after.batch = number;
  return made;
}

// Delivers when it is let, and writes down what.
struct Recorder {
  std::vector<std::uint64_t> numbers;
  std::promise<void> begun;
  std::promise<void> let;
  std::atomic<int> failures{0};

  DeliveryThread::Deliver at_once() {
    return [this](const DecidedBatch& one) { numbers.push_back(one.stored.after.batch); };
  }
  DeliveryThread::Deliver first_when_let() {
    return [this](const DecidedBatch& one) {
      if (numbers.empty()) {
        begun.set_value();
        let.get_future().wait();
      }
      numbers.push_back(one.stored.after.batch);
    };
  }
  DeliveryThread::Deliver failing_at(std::uint64_t number) {
    return [this, number](const DecidedBatch& one) {
      if (one.stored.after.batch == number) throw std::runtime_error("no broker");
      numbers.push_back(one.stored.after.batch);
    };
  }
  std::function<void()> on_failure() {
    return [this] { ++failures; };
  }
};

std::string thrown(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(DeliveryThread, DeliversInOrder) {
  Recorder recorder;
  DeliveryThread thread(100, 7, recorder.at_once(), recorder.on_failure());
  EXPECT_EQ(thread.delivered(), 7);
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t number = 8; number < 60; ++number) {
    thread.push(batch(number));
    wanted.push_back(number);
  }
  thread.drain();
  EXPECT_EQ(recorder.numbers, wanted);
  EXPECT_EQ(thread.delivered(), 59);
  EXPECT_EQ(recorder.failures, 0);
}

TEST(DeliveryThread, HasNoRoomWhileSoManyAreUndelivered) {
  Recorder recorder;
  DeliveryThread thread(2, 0, recorder.first_when_let(), recorder.on_failure());
  thread.push(batch(1));
  recorder.begun.get_future().wait();
  thread.wait_for_room();  // one is being delivered, and two may be
  thread.push(batch(2));
  auto room = std::async(std::launch::async, [&thread] {
    thread.wait_for_room();
    return thread.delivered();
  });
  EXPECT_EQ(room.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  recorder.let.set_value();
  EXPECT_GE(room.get(), 1);
  thread.drain();
  EXPECT_EQ(thread.delivered(), 2);
}

TEST(DeliveryThread, AFailureReachesWhoWaitsAndEndsTheDelivery) {
  Recorder recorder;
  DeliveryThread thread(1, 0, recorder.failing_at(2), recorder.on_failure());
  for (std::uint64_t number = 1; number <= 3; ++number) thread.push(batch(number));
  EXPECT_EQ(thrown([&] { thread.drain(); }), "no broker");
  EXPECT_EQ(thrown([&] { thread.wait_for_room(); }), "no broker");
  EXPECT_EQ(recorder.failures, 1);
  EXPECT_EQ(thread.delivered(), 1);
  EXPECT_EQ(recorder.numbers, std::vector<std::uint64_t>{1});
}

TEST(DeliveryThread, EndsWithoutWhatIsBehindTheBatchAtHand) {
  Recorder recorder;
  std::future<void> ended;
  {
    auto thread =
        std::make_unique<DeliveryThread>(9, 0, recorder.first_when_let(), recorder.on_failure());
    thread->push(batch(1));
    recorder.begun.get_future().wait();
    thread->push(batch(2));
    ended =
        std::async(std::launch::async, [thread = std::move(thread)]() mutable { thread.reset(); });
  }
  recorder.let.set_value();
  ended.get();
  EXPECT_EQ(recorder.numbers.front(), 1);
}

TEST(DeliveryThread, HasNothingToDrainWhenNothingWasPushed) {
  Recorder recorder;
  DeliveryThread thread(1, 3, recorder.at_once(), recorder.on_failure());
  thread.drain();
  thread.wait_for_room();
  EXPECT_EQ(thread.delivered(), 3);
}

}  // namespace
}  // namespace neardup::TEST_FILE
