#include "service/control/searches.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "pipeline/core/failure.h"

namespace neardup {
namespace {

TEST(SearchesTest, RequestsAreAnsweredWhileTheyAreOpen) {
  Searches searches;
  EXPECT_THROW(searches.answer("a"), Failure);
  {
    const OpenSearches open(searches, [](const std::string& body) { return body + "!"; });
    EXPECT_EQ(searches.answer("a"), "a!");
  }
  EXPECT_THROW(searches.answer("a"), Failure);
}

TEST(SearchesTest, AnErrorOfAnAnswerEndsItsCall) {
  Searches searches;
  {
    const OpenSearches open(searches,
                            [](const std::string&) -> std::string { throw std::bad_alloc(); });
    EXPECT_THROW(searches.answer(""), std::bad_alloc);
  }
}

TEST(SearchesTest, ClosingWaitsForTheCallsThatAreUnderWay) {
  Searches searches;
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<bool> answered{false};
  searches.open([&](const std::string&) {
    begun.set_value();
    go_on.get_future().wait();
    answered = true;
    return std::string();
  });
  auto call = std::async(std::launch::async, [&] { return searches.answer(""); });
  begun.get_future().wait();
  auto closing = std::async(std::launch::async, [&] {
    searches.close();
    return answered.load();
  });
  EXPECT_EQ(closing.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  go_on.set_value();
  EXPECT_TRUE(closing.get());
  call.get();
}

}  // namespace
}  // namespace neardup
