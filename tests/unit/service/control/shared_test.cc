#include "service/control/shared.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <new>
#include <thread>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

int doubled(int& value) { return 2 * value; }

TEST(SharedTest, IsUsedWhileItIsOpen) {
  Shared<int> shared;
  int value = 21;
  EXPECT_THROW(shared.use(doubled), Failure);
  {
    const OpenShared<int> open(shared, value);
    EXPECT_EQ(shared.use(doubled), 42);
  }
  EXPECT_THROW(shared.use(doubled), Failure);
}

TEST(SharedTest, AnErrorEndsItsUse) {
  Shared<int> shared;
  int value = 0;
  const OpenShared<int> open(shared, value);
  EXPECT_THROW(shared.use([](int&) -> int { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(SharedTest, ClosingWaitsForTheUsesThatAreUnderWay) {
  Shared<int> shared;
  int value = 0;
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<bool> used{false};
  shared.open(value);
  auto use = std::async(std::launch::async, [&] {
    return shared.use([&](int&) {
      begun.set_value();
      go_on.get_future().wait();
      used = true;
      return 0;
    });
  });
  begun.get_future().wait();
  auto closing = std::async(std::launch::async, [&] {
    shared.close();
    return used.load();
  });
  EXPECT_EQ(closing.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  go_on.set_value();
  EXPECT_TRUE(closing.get());
  use.get();
}

}  // namespace
}  // namespace neardup::TEST_FILE
