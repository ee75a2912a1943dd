#include "pipeline/state_tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "pipeline/chunk_queue.h"
#include "storage/memory_store.h"

namespace neardup::TEST_FILE {
namespace {

using Outcome = StateTasks::Outcome;
using std::chrono::hours;
using std::chrono::milliseconds;

class ErrandsTest : public testing::Test {
 protected:
  // Another thread's task, waiting when this returns. Requires: it will wait.
  std::future<Outcome> send(StateTasks::Work work, milliseconds timeout = hours(1)) {
    const int before = woken_;
    auto outcome = std::async(std::launch::async, [this, work = std::move(work), timeout] {
      return tasks_.run(work, timeout);
    });
    while (woken_ == before) std::this_thread::yield();
    return outcome;
  }
  void open() {
    tasks_.open([this] { ++woken_; });
  }

  StateTasks tasks_{2};
  std::atomic<int> woken_{0};
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  OwnState state_{*store_};
};

TEST_F(ErrandsTest, they_are_done_on_the_owners_thread_in_their_order) {
  open();
  std::vector<int> done;
  std::thread::id where;
  auto first = send([&](StateAccess& state) {
    EXPECT_EQ(&state, &state_);
    where = std::this_thread::get_id();
    done.push_back(1);
  });
  auto second = send([&](StateAccess&) { done.push_back(2); });
  EXPECT_TRUE(done.empty());
  tasks_.do_all(state_);
  EXPECT_EQ(first.get(), Outcome::kDone);
  EXPECT_EQ(second.get(), Outcome::kDone);
  EXPECT_EQ(done, (std::vector{1, 2}));
  EXPECT_EQ(where, std::this_thread::get_id());
}

TEST_F(ErrandsTest, nobody_takes_one_before_the_owner_is_there_nor_after) {
  const auto never = [](StateAccess&) { FAIL(); };
  EXPECT_EQ(tasks_.run(never, hours(1)), Outcome::kClosed);
  open();
  auto waiting = send(never);
  tasks_.close();
  EXPECT_EQ(waiting.get(), Outcome::kClosed);
  EXPECT_EQ(tasks_.run(never, hours(1)), Outcome::kClosed);
  tasks_.do_all(state_);
}

TEST_F(ErrandsTest, one_too_many_is_turned_away_at_once) {
  open();
  auto first = send([](StateAccess&) {});
  auto second = send([](StateAccess&) {});
  EXPECT_EQ(tasks_.run([](StateAccess&) { FAIL(); }, hours(1)), Outcome::kFull);
  tasks_.do_all(state_);
  EXPECT_EQ(first.get(), Outcome::kDone);
  EXPECT_EQ(second.get(), Outcome::kDone);
}

TEST_F(ErrandsTest, one_that_is_not_begun_in_time_is_never_done) {
  open();
  EXPECT_EQ(tasks_.run([](StateAccess&) { FAIL(); }, milliseconds(1)), Outcome::kLate);
  tasks_.do_all(state_);
}

TEST_F(ErrandsTest, one_that_has_begun_is_waited_for) {
  open();
  std::promise<void> begun;
  std::promise<void> go_on;
  auto outcome = send(
      [&](StateAccess&) {
        begun.set_value();
        go_on.get_future().wait();
      },
      milliseconds(200));
  std::thread owner([&] { tasks_.do_all(state_); });
  begun.get_future().wait();
  EXPECT_EQ(outcome.wait_for(milliseconds(400)), std::future_status::timeout);
  go_on.set_value();
  EXPECT_EQ(outcome.get(), Outcome::kDone);
  owner.join();
}

TEST_F(ErrandsTest, what_one_throws_comes_to_who_sent_it_and_the_next_one_is_done) {
  open();
  bool done = false;
  auto bad = send([](StateAccess&) { throw std::runtime_error("no"); });
  auto good = send([&](StateAccess&) { done = true; });
  tasks_.do_all(state_);
  EXPECT_THROW(bad.get(), std::runtime_error);
  EXPECT_EQ(good.get(), Outcome::kDone);
  EXPECT_TRUE(done);
}

TEST(ChunkQueueWake, a_wait_ends_also_when_the_wake_came_first) {
  ChunkQueue queue({1, 1});
  queue.wake();
  EXPECT_TRUE(queue.wait());
  std::thread other([&] { queue.wake(); });
  EXPECT_TRUE(queue.wait());
  other.join();
  queue.finish();
  EXPECT_FALSE(queue.wait());
  EXPECT_EQ(queue.pop(), nullptr);
}

}  // namespace
}  // namespace neardup::TEST_FILE
