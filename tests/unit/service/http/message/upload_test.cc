// Bodies of any size, and answers of any size.
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
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// What an upload has seen, and how it is to behave.
struct Script {
  std::mutex mutex;
  std::condition_variable changed;
  std::string body;
  std::size_t pieces = 0;
  bool abandoned = false;
  std::size_t wait_at = 0;    // from this piece on it waits once; 0: never
  std::size_t refuse_at = 0;  // refuses this piece; 0: none
  HttpUpload::Resume resume;
  HttpAnswer answer{200, "taken"};

  template <class Condition>
  bool wait_for(const Condition& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(30), condition);
  }
};

class ScriptedUpload : public HttpUpload {
 public:
  explicit ScriptedUpload(Script& script) : script_(script) {}

  Taken take(std::string bytes, const Resume& resume) override {
    const std::lock_guard lock(script_.mutex);
    const std::size_t piece = ++script_.pieces;
    if (piece == script_.refuse_at) return Taken::kRefused;
    script_.body += bytes;
    script_.changed.notify_all();
    if (piece != script_.wait_at) return Taken::kMore;
    script_.resume = resume;
    return Taken::kWait;
  }
  HttpAnswer refusal() const override { return {503, "refused"}; }
  // As a service does, the answer comes from another thread.
  void end(Done done) override {
    std::thread([answer = script_.answer, done = std::move(done)] { done(answer); }).detach();
  }
  void abandon() override {
    const std::lock_guard lock(script_.mutex);
    script_.abandoned = true;
    script_.changed.notify_all();
  }

 private:
  Script& script_;
};

class LongBody : public HttpBody {
 public:
  LongBody(std::uint64_t size, bool readable) : size_(size), readable_(readable) {}
  std::uint64_t size() const override { return size_; }
  bool read(std::uint64_t at, std::span<char> bytes) const override {
    for (char& byte : bytes) byte = static_cast<char>('a' + at++ % 26);
    return readable_ || at <= size_ / 2;
  }

 private:
  std::uint64_t size_;
  bool readable_;
};

class Uploads : public ::testing::Test {
 protected:
  HttpServer start() {
    HttpRoute put{.methods = {"POST", "PUT"}, .path = "/put", .access = HttpAccess::kWrite};
    put.open = [this](const RequestHead& head, const HttpRequest&) -> HttpRoute::Opened {
      if (head.type == "no/thing") return HttpAnswer{415, "not wanted"};
      return std::make_shared<ScriptedUpload>(script_);
    };
    put.parameters = {{.name = "a", .about = {}}};
    HttpGuard guard;
    guard.set_writers({"0123456789abcdef"});
    return {options_, {put}, guard};
  }
  static std::string head(std::string_view more, std::string_view token = "0123456789abcdef") {
    return "POST /put?a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " +
           std::string(token) + "\r\n" + std::string(more) + "\r\n\r\n";
  }
  static std::string ask(const HttpServer& server, const std::string& request) {
    RawClient client(server.address());
    client.send(request);
    return client.receive();
  }

  HttpOptions options_{"127.0.0.1:0"};
  Script script_;
};

std::string text_of(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * i % 23);
  return text;
}

TEST_F(Uploads, ALargeBodyComesInPieces) {
  const HttpServer server = start();
  const std::string body = text_of(20'000'000);
  EXPECT_THAT(ask(server, head("Content-Length: " + std::to_string(body.size())) + body),
              AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("taken")));
  EXPECT_TRUE(script_.body == body) << script_.body.size();
  EXPECT_GT(script_.pieces, 100u);
  EXPECT_FALSE(script_.abandoned);
}

TEST_F(Uploads, ChunksAreTakenWithoutTheirFraming) {
  const HttpServer server = start();
  const std::string chunk = text_of(5000);
  std::string body;
  for (int i = 0; i < 100; ++i) body += "1388\r\n" + chunk + "\r\n";
  EXPECT_THAT(ask(server, head("Transfer-Encoding: chunked") + body + "0\r\n\r\n"),
              EndsWith("taken"));
  EXPECT_EQ(script_.body.size(), 500'000u);
  EXPECT_TRUE(script_.body.ends_with(chunk));
}

TEST_F(Uploads, AnEmptyBodyIsABody) {
  const HttpServer server = start();
  EXPECT_THAT(ask(server, head("Content-Length: 0")), EndsWith("taken"));
  EXPECT_EQ(script_.pieces, 0u);
}

TEST_F(Uploads, NothingIsReadWhileItWaits) {
  script_.wait_at = 2;
  const HttpServer server = start();
  const std::string body = text_of(4'000'000);
  RawClient client(server.address());
  std::thread sender(
      [&] { client.send(head("Content-Length: " + std::to_string(body.size())) + body); });
  ASSERT_TRUE(script_.wait_for([&] { return script_.resume != nullptr; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  {
    const std::lock_guard lock(script_.mutex);
    EXPECT_EQ(script_.pieces, 2u);
  }
  std::exchange(script_.resume, nullptr)();
  sender.join();
  EXPECT_THAT(client.receive(), EndsWith("taken"));
  EXPECT_TRUE(script_.body == body);
}

TEST_F(Uploads, TheLastPieceMayWaitToo) {
  script_.wait_at = 1;
  const HttpServer server = start();
  RawClient client(server.address());
  client.send(head("Content-Length: 1") + "x");
  ASSERT_TRUE(script_.wait_for([&] { return script_.resume != nullptr; }));
  std::exchange(script_.resume, nullptr)();
  EXPECT_THAT(client.receive(), EndsWith("taken"));
}

TEST_F(Uploads, ARefusalEndsTheRequest) {
  script_.refuse_at = 3;
  const HttpServer server = start();
  EXPECT_THAT(ask(server, head("Content-Length: 1000000") + text_of(1'000'000)),
              AllOf(StartsWith("HTTP/1.1 503 "), EndsWith("refused")));
  EXPECT_TRUE(script_.abandoned);
}

TEST_F(Uploads, AClientThatGoesAwayAbandonsIt) {
  const HttpServer server = start();
  {
    RawClient client(server.address());
    client.send(head("Content-Length: 10") + "12345");
    ASSERT_TRUE(script_.wait_for([&] { return script_.body == "12345"; }));
  }
  EXPECT_TRUE(script_.wait_for([&] { return script_.abandoned; }));
}

TEST_F(Uploads, AClientThatFallsSilentAbandonsIt) {
  options_.idle_seconds = 1;
  const HttpServer server = start();
  EXPECT_THAT(ask(server, head("Content-Length: 10") + "12345"), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(script_.abandoned);
}

TEST_F(Uploads, WithoutATokenOrAWantedTypeNoBodyIsRead) {
  const HttpServer server = start();
  EXPECT_THAT(ask(server, head("Content-Length: 5", "0123456789abcdeF")),
              StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(ask(server, head("Content-Length: 5\r\nContent-Type: no/thing")),
              StartsWith("HTTP/1.1 415 "));
  EXPECT_THAT(ask(server, "GET /put HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 405 "));
  EXPECT_EQ(script_.pieces, 0u);
}

TEST_F(Uploads, ALongAnswerIsSentAsItIsRead) {
  script_.answer = {.status = 200, .body = "begin:", .fields = {{"Neardup-Counts", "unique=3"}}};
  script_.answer.rest = std::make_shared<LongBody>(10'000'000, true);
  const HttpServer server = start();
  const std::string answer = ask(server, head("Content-Length: 1") + "x");
  EXPECT_THAT(answer.substr(0, 300), AllOf(HasSubstr("\r\nContent-Length: 10000006\r\n"),
                                           HasSubstr("\r\nNeardup-Counts: unique=3\r\n"),
                                           HasSubstr("\r\n\r\nbegin:abcdef")));
  const std::string end = answer.substr(answer.size() - 3);
  EXPECT_EQ(answer.size() - answer.find("begin:"), 10'000'006u);
  EXPECT_EQ(end[2], static_cast<char>('a' + 9'999'999 % 26));
}

TEST_F(Uploads, AnAnswerThatCannotBeReadIsCutShort) {
  script_.answer.rest = std::make_shared<LongBody>(1'000'000, false);
  const HttpServer server = start();
  const std::string answer = ask(server, head("Content-Length: 1") + "x");
  EXPECT_THAT(answer.substr(0, 300), HasSubstr("\r\nContent-Length: 1000005\r\n"));
  EXPECT_LT(answer.size(), 600'000u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
