// Clients that mean no good, or are slow: what they cost, and that others are answered meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "service/http/client.h"
#include "service/http/server.h"
#include "tests/unit/service/http/raw_client.h"
#include "tests/unit/service/http/test_routes.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ServerUnderAttack : public ::testing::Test {
 protected:
  HttpServer start() { return {options_, routes_, guard_}; }

  static std::string ask(const HttpServer& server, std::string_view bytes) {
    RawClient client(server.address());
    client.send(bytes);
    return client.receive();
  }
  static void expect_probe_answered(const HttpServer& server) {
    RawClient client(server.address());
    ASSERT_TRUE(client.send(kProbe));
    EXPECT_THAT(client.receive_until(kOk), StartsWith("HTTP/1.1 200 "));
  }
  static std::string post(const std::string& fields, const std::string& body = "") {
    return "POST /do HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + std::string(kToken) + "\r\n" +
           fields + "\r\n\r\n" + body;
  }
  // Until `holds`, at most a minute.
  template <typename Condition>
  static bool wait_until(const Condition& holds) {
    for (int i = 0; i < 6000; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  // Adds a path that is answered in another thread.
  void scraped(std::string path, std::function<HttpAnswer(const HttpRequest&)> answer) {
    routes_.push_back(get_route(std::move(path), std::move(answer)));
    routes_.back().thread = HttpThread::kScrape;
  }

  Health health_;
  HttpOptions options_{.listen = "127.0.0.1:0", .head_seconds = 1};
  HttpRoutes routes_ = routes_to_try(health_);
  HttpGuard guard_ = guard_of(kToken);
};

TEST_F(ServerUnderAttack, AHeaderLineWithoutEndIsRefusedAndTheConnectionClosed) {
  const HttpServer server = start();
  RawClient client(server.address());
  ASSERT_TRUE(client.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: "));
  const std::string piece(std::size_t{1} << 20, 'x');
  int sent = 0;
  while (sent < 300 && client.send(piece)) ++sent;
  EXPECT_LT(sent, 300);
  EXPECT_EQ(server.connections().for_size, 1);
  EXPECT_TRUE(wait_until([&] { return server.connections().open == 0; }));
}

TEST_F(ServerUnderAttack, ManyHeaderLinesAreRefused) {
  const HttpServer server = start();
  std::string bytes(kProbe.substr(0, kProbe.size() - 2));
  for (int i = 0; i < 100'000; ++i) bytes += "A: b\r\n";
  EXPECT_THAT(ask(server, bytes + "\r\n"),
              AllOf(StartsWith("HTTP/1.1 431 "), HasSubstr("Connection: close")));
}

TEST_F(ServerUnderAttack, TheLimitOfTheHeadIsTheConfiguredOne) {
  options_.max_head = 1024;
  const HttpServer server = start();
  const auto with = [](std::size_t bytes) {
    return "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: " +
           std::string(bytes, 'x') + "\r\n\r\n";
  };
  EXPECT_THAT(ask(server, with(900)), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask(server, with(1024)), StartsWith("HTTP/1.1 431 "));
}

TEST_F(ServerUnderAttack, RangesAreNotServed) {
  scraped("/metrics", [](const HttpRequest&) { return HttpAnswer{200, std::string(8192, 'm')}; });
  const HttpServer server = start();
  std::string ranges = "0-";
  for (int i = 0; i < 2700; ++i) ranges += ",0-";
  const std::string answer = ask(
      server, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\nRange: bytes=" + ranges +
                  "\r\n\r\n");
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("Content-Length: 8192\r\n"),
                            Not(HasSubstr("Range"))));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n" + std::string(8192, 'm')));
}

TEST_F(ServerUnderAttack, AfterWhatIsNoRequestTheConnectionIsClosed) {
  const HttpServer server = start();
  for (const std::string& bytes :
       {post("Content-Length: 1\r\nContent-Length: 2", "ab"),
        post("Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        post("Transfer-Encoding: chunked", "zz\r\n"), post("Transfer-Encoding: gzip", "abc"),
        std::string("GET /healthz HTTP/1.1\n\n"), std::string("GET /healthz HTTP/2.0\r\n\r\n")}) {
    const std::string answer = ask(server, bytes + std::string(kProbe));
    EXPECT_THAT(answer, AnyOf(StartsWith("HTTP/1.1 400 "), StartsWith("HTTP/1.1 50"))) << bytes;
    EXPECT_THAT(answer, AllOf(HasSubstr("Connection: close\r\n"), Not(HasSubstr("ok\n")))) << bytes;
  }
}

TEST_F(ServerUnderAttack, ABodyOf1TBIsRefusedUnread) {
  const HttpServer server = start();
  EXPECT_THAT(ask(server, post("Content-Length: 1099511627776", "x")), StartsWith("HTTP/1.1 413 "));
}

TEST_F(ServerUnderAttack, AHeadThatDripsIsCutOffInTime) {
  const HttpServer server = start();
  RawClient client(server.address());
  client.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: ");
  EXPECT_TRUE(wait_until([&] {
    client.send("a");
    return server.connections().for_time == 1;
  }));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 408 "));
}

TEST_F(ServerUnderAttack, WhoSaysNothingIsDisconnected) {
  options_.idle_seconds = 1;
  const HttpServer server = start();
  RawClient silent(server.address());
  EXPECT_EQ(silent.receive(), "");
  RawClient idle(server.address());
  idle.send(kProbe);
  EXPECT_THAT(idle.receive(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith(kOk)));
}

TEST_F(ServerUnderAttack, ABodyThatDripsIsCutOffInTime) {
  const HttpServer server = start();
  RawClient client(server.address());
  client.send(post("Content-Length: 4000000"));
  EXPECT_TRUE(wait_until([&] {
    client.send("a");
    return server.connections().for_time == 1;
  }));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 408 "));
}

TEST_F(ServerUnderAttack, WhoDoesNotTakeItsAnswerIsDisconnected) {
  routes_.push_back(get_route("/large", [](const HttpRequest&) {
    return HttpAnswer{200, std::string(64 << 10, 'x')};
  }));
  const HttpServer server = start();
  RawClient client(server.address(), 4096);
  // More than the kernel holds for a client that does not read.
  for (int i = 0; i < 200; ++i) client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(wait_until([&] { return server.connections().for_time == 1; }));
  EXPECT_TRUE(wait_until([&] { return server.connections().open == 0; }));
}

TEST_F(ServerUnderAttack, WhoHasClosedItsSideIsStillAnswered) {
  const HttpServer server = start();
  RawClient client(server.address());
  client.send(kProbe);
  client.finish();
  EXPECT_THAT(client.receive(), EndsWith(kOk));
  RawClient half(server.address());
  half.send(kProbe.substr(0, 10));
  half.finish();
  EXPECT_EQ(half.receive(), "");
}

TEST_F(ServerUnderAttack, AConnectionTakesRequestsOneAfterTheOther) {
  const HttpServer server = start();
  RawClient client(server.address());
  for (int i = 0; i < 3; ++i) {
    client.send(kProbe);
    EXPECT_THAT(client.receive_until(kOk), HasSubstr("Connection: keep-alive\r\n"));
  }
  client.send("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.receive(), AllOf(HasSubstr("Connection: close\r\n"), EndsWith(kOk)));
}

TEST_F(ServerUnderAttack, RequestsThatComeTogetherAreAnsweredInTheirOrder) {
  const HttpServer server = start();
  std::string bytes;
  std::size_t expected = 0;
  for (int i = 0; i < 1000; ++i) {
    bytes += std::string(kProbe) + post("Content-Length: 1", "x") +
             post("Transfer-Encoding: chunked", "2\r\nyz\r\n0\r\n\r\n");
    expected += 3;
  }
  const std::string answer = ask(server, bytes + "GET /else HTTP/1.0\r\n\r\n");
  std::size_t count = 0;
  std::size_t at = 0;
  for (const char* body : {"ok\n", "done x", "done yz"}) {
    at = answer.find(body, at);
    ASSERT_NE(at, answer.npos) << body;
  }
  for (at = 0; (at = answer.find("HTTP/1.1 200 ", at)) != answer.npos; ++at) ++count;
  EXPECT_EQ(count, expected);
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 404 "));
}

TEST_F(ServerUnderAttack, AnUnreadBodyIsNeverTakenForARequest) {
  const HttpServer server = start();
  const std::string hidden(kProbe);
  for (const char* line : {"GET /healthz", "POST /healthz", "POST /do"}) {
    const std::string answer =
        ask(server, std::string(line) + " HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                        std::to_string(hidden.size()) + "\r\n\r\n" + hidden);
    EXPECT_EQ(answer.find("HTTP/1.1", 1), answer.npos) << line;
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n")) << line;
  }
}

TEST_F(ServerUnderAttack, ABodyIsAskedForOnlyWhenItWillBeRead) {
  const HttpServer server = start();
  RawClient client(server.address());
  client.send(post("Expect: 100-continue\r\nContent-Length: 2"));
  EXPECT_EQ(client.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  EXPECT_THAT(client.receive_until("done ab"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(
      ask(server,
          "POST /do HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"),
      StartsWith("HTTP/1.1 401 "));
}

TEST_F(ServerUnderAttack, AClientWithTooManyConnectionsLosesItsOldest) {
  options_.max_connections_per_client = kLeast;
  options_.head_seconds = 60;
  const HttpServer server = start();
  std::vector<RawClient> clients;
  for (std::uint32_t i = 0; i < kLeast; ++i) {
    clients.emplace_back(server.address());
    clients.back().send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: ");
    ASSERT_TRUE(wait_until([&] { return server.connections().open == i + 1; }));
  }
  expect_probe_answered(server);
  EXPECT_EQ(clients.front().receive(), "");
  EXPECT_EQ(server.connections().for_connections_of_client, 1);
  EXPECT_EQ(server.connections().for_connections, 0);
}

TEST_F(ServerUnderAttack, WithAllConnectionsTakenAProbeIsAnswered) {
  options_.max_connections = kLeast;
  options_.head_seconds = 60;
  const HttpServer server = start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back(server.address());
    clients.back().send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: ");
  }
  for (int i = 0; i < 50; ++i) {
    expect_probe_answered(server);
    for (RawClient& client : clients) client.send("a");
  }
  EXPECT_LE(server.connections().open, kLeast);
  EXPECT_GT(server.connections().for_connections, 200 - kLeast);
}

TEST_F(ServerUnderAttack, WhileHandlersWaitProbesAreAnswered) {
  std::promise<void> finish;
  std::shared_future<void> finished = finish.get_future().share();
  routes_.back().answer = [finished](const HttpRequest&) {
    finished.wait();
    return HttpAnswer{200, "done at last"};
  };
  scraped("/metrics", [finished](const HttpRequest&) {
    finished.wait();
    return HttpAnswer{200, "metrics at last"};
  });
  options_.max_connections = options_.max_connections_per_client = kLeast;
  const HttpServer server = start();
  std::vector<RawClient> waiting;
  std::vector<RawClient> scraping;
  for (std::uint32_t i = 0; i < kLeast; ++i) {
    waiting.emplace_back(server.address());
    waiting.back().send(post("Connection: close\r\nContent-Length: 1", "x"));
    scraping.emplace_back(server.address());
    scraping.back().send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect_probe_answered(server);
  }
  EXPECT_THAT(ask(server, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(ask(server, post("Connection: close\r\nContent-Length: 1", "x")),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("retry later")));
  finish.set_value();
  EXPECT_THAT(waiting.front().receive(), EndsWith("done at last"));
  EXPECT_THAT(scraping.front().receive(), EndsWith("metrics at last"));
  expect_probe_answered(server);
}

TEST_F(ServerUnderAttack, WhatIsBeingAnsweredWhenItEndsIsAnswered) {
  std::promise<void> begun;
  std::promise<void> finish;
  routes_.back().answer = [&](const HttpRequest&) {
    begun.set_value();
    finish.get_future().wait();
    return HttpAnswer{200, std::string(std::size_t{1} << 20, 'x') + "done"};
  };
  auto server = std::make_unique<HttpServer>(options_, routes_, guard_);
  RawClient idle(server->address());
  RawClient client(server->address());
  client.send(post("Content-Length: 1", "x"));
  begun.get_future().wait();
  std::thread ends([&] { server.reset(); });
  EXPECT_EQ(idle.receive(), "");
  finish.set_value();
  EXPECT_THAT(client.receive(), EndsWith("done"));
  ends.join();
}

TEST_F(ServerUnderAttack, AHandlerThatThrowsIsAnErrorOfItsRequest) {
  const auto broken = [](const HttpRequest&) -> HttpAnswer { throw std::runtime_error("broken"); };
  routes_.push_back(get_route("/bad", broken));
  scraped("/worse", broken);
  const HttpServer server = start();
  for (const char* path : {"/bad", "/worse"}) {
    const auto reply = http_get(server.local_url() + path, std::chrono::seconds(60));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 500);
    EXPECT_THAT(reply->body, HasSubstr(R"("detail":"broken","reason":"failed"})"));
  }
}

// Lets the process open one more file, while it lives.
class OneMoreFile {
 public:
  OneMoreFile() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = ::dup(0);
    ::close(lowest);
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(lowest) + 1;
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~OneMoreFile() { setrlimit(RLIMIT_NOFILE, &before_); }
  OneMoreFile(const OneMoreFile&) = delete;
  OneMoreFile& operator=(const OneMoreFile&) = delete;

 private:
  rlimit before_{};
};

TEST_F(ServerUnderAttack, WhenFilesRunOutTheConnectionThatWaitsLongestGoes) {
  options_.head_seconds = 60;
  const HttpServer server = start();
  // Without files, the sanitizer of vptr fails objects of types that it has not seen.
  expect_probe_answered(server);
  ASSERT_TRUE(wait_until([&] { return server.connections().open == 0; }));
  RawClient first(server.address());
  first.send("GET");
  ASSERT_TRUE(wait_until([&] { return server.connections().open == 1; }));
  std::string answer;
  {
    const OneMoreFile limit;
    RawClient second(server.address());
    second.send(kProbe);
    answer = second.receive_until(kOk);
  }
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(first.receive(), "");
}

// POST `path`, which anybody may send.
HttpRoute open_route(std::string path, std::function<HttpAnswer(const HttpRequest&)> answer) {
  return {.methods = {"POST"},
          .path = std::move(path),
          .thread = HttpThread::kControl,
          .answer = std::move(answer),
          .long_work = true,
          .takes = {"text/plain"}};
}

TEST_F(ServerUnderAttack, LongWorkHearsThatItsClientHasLeft) {
  std::promise<void> begun;
  std::promise<void> left;
  routes_.push_back(open_route("/long", [&](const HttpRequest& request) {
    begun.set_value();
    while (!request.gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    left.set_value();
    return HttpAnswer();
  }));
  const HttpServer server = start();
  {
    RawClient client(server.address());
    client.send("POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx");
    begun.get_future().wait();
  }
  EXPECT_EQ(left.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
}

TEST_F(ServerUnderAttack, AClientThatSendsItsNextRequestHasNotLeft) {
  routes_.push_back(open_route("/long", [&](const HttpRequest& request) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return HttpAnswer{200, request.gone() ? "gone" : "there"};
  }));
  const HttpServer server = start();
  EXPECT_THAT(ask(server,
                  "POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx"
                  "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              AllOf(HasSubstr("\r\n\r\nthere"), EndsWith(kOk)));
}

TEST_F(ServerUnderAttack, BodiesTogetherTakeBoundedMemory) {
  constexpr std::size_t kBody = std::size_t{4} << 20;
  constexpr std::size_t kMost = 16;  // whose bodies fit
  routes_.push_back(open_route("/take", [](const HttpRequest&) {
    return HttpAnswer{200, "taken"};
  }));
  const HttpServer server = start();
  const std::string head =
      "POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(kBody) + "\r\n\r\n";
  std::vector<RawClient> clients;
  while (clients.size() < kMost + 4 && server.connections().bodies_refused == 0) {
    clients.emplace_back(server.address());
    clients.back().send(head + std::string(kBody - 1, 'x'));
  }
  EXPECT_TRUE(wait_until([&] { return server.connections().bodies_refused > 0; }));
  EXPECT_GE(clients.size(), kMost);
  expect_probe_answered(server);
  EXPECT_THAT(ask(server, post("Connection: close\r\nContent-Length: 2", "ab")),
              EndsWith("done ab"))
      << "with a token there is room";
  clients.clear();
  EXPECT_TRUE(wait_until([&] {
    RawClient client(server.address());
    client.send(head + std::string(kBody, 'x'));
    return client.receive_until("taken").ends_with("taken");
  }));
}

}  // namespace
}  // namespace neardup::TEST_FILE
