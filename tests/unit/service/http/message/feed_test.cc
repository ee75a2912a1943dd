// Answers that go on as long as there is something to tell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "service/http/server.h"
#include "tests/unit/service/http/raw_client.h"
#include "tests/unit/service/http/test_routes.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// What a feed is to tell, and whether it still lives.
class Teller {
 public:
  void tell(std::string bytes) {
    HttpFeed::More more;
    {
      const std::lock_guard lock(mutex_);
      bytes_ += bytes;
      more = std::exchange(more_, nullptr);
    }
    if (more) more();
  }
  std::string take(const HttpFeed::More& more) {
    const std::lock_guard lock(mutex_);
    if (bytes_.empty()) more_ = more;
    return std::exchange(bytes_, {});
  }
  void begin() { change(1); }
  void end() { change(-1); }
  bool wait_until_open(int feeds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return open_ == feeds; });
  }

 private:
  void change(int feeds) {
    const std::lock_guard lock(mutex_);
    open_ += feeds;
    if (feeds < 0) more_ = nullptr;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  HttpFeed::More more_;
  int open_ = 0;
};

class ToldFeed : public HttpFeed {
 public:
  ToldFeed(Teller& teller, std::chrono::milliseconds idle) : teller_(teller), idle_time_(idle) {
    teller_.begin();
  }
  ~ToldFeed() override { teller_.end(); }
  ToldFeed(const ToldFeed&) = delete;
  ToldFeed& operator=(const ToldFeed&) = delete;
  std::string next(const More& more) override { return teller_.take(more); }
  std::string idle() const override { return "(idle)"; }
  std::chrono::milliseconds idle_time() const override { return idle_time_; }

 private:
  Teller& teller_;
  const std::chrono::milliseconds idle_time_;
};

class Feeds : public ::testing::Test {
 protected:
  std::unique_ptr<HttpServer> start() {
    HttpRoutes routes{get_route("/feed", [this](const HttpRequest&) {
      HttpAnswer answer{200, "begin:"};
      answer.feed = std::make_shared<ToldFeed>(teller_, idle_time_);
      return answer;
    })};
    routes.push_back(get_route("/plain", [](const HttpRequest&) { return HttpAnswer{200, "ok"}; }));
    return std::make_unique<HttpServer>(options_, routes);
  }

  HttpOptions options_{"127.0.0.1:0"};
  std::chrono::milliseconds idle_time_{60'000};
  Teller teller_;
};

constexpr std::string_view kAsk = "GET /feed HTTP/1.1\r\nHost: x\r\n\r\n";

TEST_F(Feeds, ComeAsTheyAreTold) {
  const auto server = start();
  RawClient client(server->address());
  client.send(kAsk);
  const std::string head = client.receive_until("begin:");
  EXPECT_THAT(head, AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("\r\nConnection: close\r\n"),
                          Not(HasSubstr("Content-Length"))));
  teller_.tell("one.");
  EXPECT_EQ(client.receive_until("."), "one.");
  teller_.tell("two.");
  EXPECT_EQ(client.receive_until("."), "two.");
}

TEST_F(Feeds, GoOnWhileOtherRequestsAreAnswered) {
  const auto server = start();
  RawClient watcher(server->address());
  watcher.send(kAsk);
  watcher.receive_until("begin:");
  RawClient other(server->address());
  other.send("GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(other.receive(), HasSubstr("\r\n\r\nok"));
  teller_.tell("more.");
  EXPECT_EQ(watcher.receive_until("."), "more.");
}

TEST_F(Feeds, SaySomethingWhileThereIsNothing) {
  idle_time_ = std::chrono::milliseconds(10);
  const auto server = start();
  RawClient client(server->address());
  client.send(kAsk);
  EXPECT_THAT(client.receive_until("(idle)(idle)"), HasSubstr("begin:(idle)"));
  teller_.tell("one.");
  EXPECT_THAT(client.receive_until("."), HasSubstr("one."));
}

TEST_F(Feeds, EndWithTheirClient) {
  idle_time_ = std::chrono::milliseconds(10);
  const auto server = start();
  {
    RawClient client(server->address());
    client.send(kAsk);
    client.receive_until("begin:");
    EXPECT_TRUE(teller_.wait_until_open(1));
  }
  EXPECT_TRUE(teller_.wait_until_open(0));
}

TEST_F(Feeds, EndWithTheServer) {
  auto server = start();
  RawClient client(server->address());
  client.send(kAsk);
  client.receive_until("begin:");
  server.reset();
  EXPECT_EQ(client.receive(), "");
  EXPECT_TRUE(teller_.wait_until_open(0));
  teller_.tell("to nobody");
}

TEST_F(Feeds, AreNotToldToAHead) {
  const auto server = start();
  RawClient client(server->address());
  client.send("HEAD /feed HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.receive(), Not(HasSubstr("begin:")));
  EXPECT_TRUE(teller_.wait_until_open(0));
}

// A watcher waits for nothing but what the service tells: it makes room for a client that asks.
TEST_F(Feeds, MakeRoomForOthers) {
  options_.max_connections_per_client = kLeast;
  const auto server = start();
  std::vector<std::unique_ptr<RawClient>> watchers;
  for (std::uint32_t i = 0; i < kLeast; ++i) {
    watchers.push_back(std::make_unique<RawClient>(server->address()));
    watchers.back()->send(kAsk);
    watchers.back()->receive_until("begin:");
  }
  RawClient other(server->address());
  other.send("GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(other.receive(), HasSubstr("\r\n\r\nok"));
  EXPECT_EQ(watchers.front()->receive(), "");
  EXPECT_EQ(server->connections().for_connections_of_client, 1u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
