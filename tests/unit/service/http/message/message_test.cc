// What is taken for a request, and what is not: the reader alone, without a port.
#include "service/http/message/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kMaxHead = 1024;
constexpr std::uint64_t kMaxBody = 100;
constexpr const char* kEnd = "\r\n\r\n";

// Feeds at most `piece` bytes at a time; returns what is left.
std::string_view feed(RequestReader& reader, std::string_view bytes, std::size_t piece) {
  const auto space = reader.space();
  EXPECT_FALSE(space.empty());
  const std::size_t count = std::min({piece, space.size(), bytes.size()});
  std::memcpy(space.data(), bytes.data(), count);
  reader.received(count);
  return bytes.substr(count);
}

// "METHOD PATH body" for each request, then "more", or the status of a refusal.
std::string outcome(std::string_view bytes, std::size_t piece = 1 << 20) {
  RequestReader reader(kMaxHead, kMaxBody);
  std::string said;
  bool in_body = false;
  while (true) {
    switch (in_body ? reader.read_body() : reader.read_head()) {
      case Progress::kRefused:
        return said + std::to_string(reader.refusal().status);
      case Progress::kMore:
        if (bytes.empty()) return said + (in_body ? "more of a body" : "more");
        bytes = feed(reader, bytes, piece);
        break;
      case Progress::kDone:
        if (in_body) {
          said += reader.head().method + " " + reader.head().path + " " + reader.take_body() + "; ";
          reader.next_request();
        }
        in_body = !in_body;
    }
  }
}

std::string post(const std::string& fields, const std::string& body = "") {
  return "POST /do HTTP/1.1\r\nHost: x\r\n" + fields + kEnd + body;
}

TEST(RequestReader, TellsWhatTheHeadSays) {
  RequestReader reader(kMaxHead, kMaxBody);
  feed(reader,
       post("authorization:  Bearer x \r\nEXPECT: 100-Continue\r\nContent-Length: 1\r\n"
            "Accept-Encoding: gzip, br\r\nIf-None-Match: \"a\""),
       1000);
  ASSERT_EQ(reader.read_head(), Progress::kDone);
  EXPECT_EQ(reader.head().method, "POST");
  EXPECT_EQ(reader.head().path, "/do");
  EXPECT_EQ(reader.head().authorization, "Bearer x");
  EXPECT_EQ(reader.head().accept_coding, "gzip, br");
  EXPECT_EQ(reader.head().if_none_match, "\"a\"");
  EXPECT_TRUE(reader.head().expects_continue);
  EXPECT_TRUE(reader.head().has_body);
  EXPECT_TRUE(reader.head().keep_alive);
}

TEST(RequestReader, WithoutABodyThereIsNone) {
  for (const std::string bytes : {"GET /a?b=c HTTP/1.0\r\n\r\n",
                                  "GET /a HTTP/1.1\r\nHost: x\r\n"
                                  "Content-Length: 0\r\n"
                                  "Connection: close\r\n\r\n"}) {
    RequestReader reader(kMaxHead, kMaxBody);
    feed(reader, bytes, 1000);
    ASSERT_EQ(reader.read_head(), Progress::kDone);
    EXPECT_EQ(reader.head().path, "/a");
    EXPECT_FALSE(reader.head().has_body);
    EXPECT_FALSE(reader.head().keep_alive);
  }
}

TEST(RequestReader, RequestsFollowEachOther) {
  const std::string bytes =
      "GET /1 HTTP/1.1\r\nHost: x" + std::string(kEnd) + post("Content-Length: 3", "one") +
      post("Transfer-Encoding: chunked", "2;x=y\r\ntw\r\n1\r\no\r\n0\r\n\r\n") + "GET /2 HTTP";
  const std::string all = "GET /1 ; POST /do one; POST /do two; more";
  for (const std::size_t piece : {1, 2, 3, 7, 1000}) EXPECT_EQ(outcome(bytes, piece), all) << piece;
}

TEST(RequestReader, AHeadThatNeverEndsIsRefusedAtTheLimit) {
  for (const std::size_t piece : {1, 1000}) {
    EXPECT_EQ(outcome("GET /" + std::string(2 * kMaxHead, 'x'), piece), "431");
    EXPECT_EQ(outcome("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(2 * kMaxHead, 'x'), piece),
              "431");
  }
}

// In pieces that end a byte into the next line, Beast 1.74 alone takes lines without end.
TEST(RequestReader, LinesWithoutEndAreRefusedAtTheLimitHoweverTheyCome) {
  const std::string line = "A: b\r\n";
  std::string many = "GET /abcd HTTP/1.1\r\nHost: x\r\n";
  ASSERT_EQ(many.size() % line.size(), line.size() - 1);
  for (std::size_t i = 0; i < kMaxHead; ++i) many += line;
  for (const std::size_t piece : {std::size_t{1}, line.size(), std::size_t{1000}})
    EXPECT_EQ(outcome(many, piece), "431") << piece;
}

TEST(RequestReader, AHeadOfJustTheLimitIsTaken) {
  const std::string start = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
  const std::string fill(kMaxHead - start.size() - 4, 'x');
  EXPECT_EQ(outcome(start + fill + kEnd), "GET / ; more");
  EXPECT_EQ(outcome(start + fill + "x" + kEnd), "431");
}

TEST(RequestReader, WhereABodyEndsMustBeClear) {
  for (const auto& [fields, status] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Content-Length: 3\r\nContent-Length: 4", "400"},
           {"Content-Length: 3\r\nContent-Length: 3", "400"},
           {"Content-Length: 3, 3", "400"},
           {"Content-Length: 3, 4", "400"},
           {"Content-Length: -3", "400"},
           {"Content-Length: +3", "400"},
           {"Content-Length: 0x3", "400"},
           {"Content-Length: 3 4", "400"},
           {"Content-Length:", "400"},
           {"Content-Length : 3", "400"},
           {"Content-Length: 18446744073709551617", "400"},
           {"Content-Length: 3\r\nTransfer-Encoding: chunked", "400"},
           {"Transfer-Encoding: chunked\r\nContent-Length: 3", "400"},
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "400"},
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "400"},
           {"Transfer-Encoding: identity", "501"},
           {"Transfer-Encoding: gzip, chunked", "501"},
           {"Transfer-Encoding: chunked, gzip", "501"},
           {"Transfer-Encoding: xchunked", "501"}}) {
    EXPECT_EQ(outcome(post(fields, "abc")), status) << fields;
  }
  EXPECT_EQ(outcome("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "400");
}

TEST(RequestReader, TheHostMustBeClear) {
  const auto get = [](const std::string& fields, const char* version = "1.1") {
    return outcome("GET / HTTP/" + std::string(version) + "\r\n" + fields + "\r\n");
  };
  for (const char* fields : {"", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n",
                             "Host: a, b\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: u@a\r\n"}) {
    EXPECT_EQ(get(fields), "400") << fields;
  }
  for (const char* fields : {"Host:\r\n", "Host: a\r\n", "HOST: a.b:80\r\n", "Host: [::1]:80\r\n"})
    EXPECT_EQ(get(fields), "GET / ; more") << fields;
  EXPECT_EQ(get("", "1.0"), "GET / ; more");
  EXPECT_EQ(get("Host: a\r\nHost: a\r\n", "1.0"), "400");
}

TEST(RequestReader, ATargetMayBeAUrlWhoseHostCounts) {
  for (const auto& [target, said] : std::initializer_list<std::pair<const char*, const char*>>{
           {"http://other:81/a/b?c=d", "other:81 /a/b c=d"},
           {"HTTPS://other", "other / "},
           {"http://other?x", "other / x"},
           {"/a?u=http://b/", "own /a u=http://b/"},
           {"*", "own * "}}) {
    RequestReader reader(kMaxHead, kMaxBody);
    feed(reader, "GET " + std::string(target) + " HTTP/1.1\r\nHost: own\r\n\r\n", 1000);
    ASSERT_EQ(reader.read_head(), Progress::kDone) << target;
    const RequestHead& head = reader.head();
    EXPECT_EQ(head.host + " " + head.path + " " + head.query, said);
  }
  for (const char* target : {"ftp://a/", "http:///a", "http://u@a/", "http://a,b/"})
    EXPECT_EQ(outcome("GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n\r\n"), "400")
        << target;
}

TEST(RequestReader, ABodyHasAnEnd) {
  EXPECT_EQ(outcome(post("Content-Length: 100", std::string(100, 'x'))),
            "POST /do " + std::string(100, 'x') + "; more");
  EXPECT_EQ(outcome(post("Content-Length: 101")), "413");
  EXPECT_EQ(outcome(post("Content-Length: 1099511627776")), "413");
  const std::string chunk = "32\r\n" + std::string(50, 'x') + "\r\n";
  EXPECT_EQ(outcome(post("Transfer-Encoding: chunked", chunk + chunk + "1\r\nx\r\n")), "413");
  EXPECT_EQ(outcome(post("Transfer-Encoding: chunked", "ffffffffffffffff\r\n")), "413");
}

TEST(RequestReader, ChunksMustBeWellFormed) {
  for (const char* body :
       {"x\r\n", "-1\r\nx\r\n", "1\r\nxx\r\n0\r\n\r\n", "\r\n", "1ffffffffffffffff\r\n", "1 x\r\n",
        "1\r\nx\n0\r\n\r\n", "0\r\nbad\r\n\r\n"}) {
    const std::string end = "0\r\n\r\n";
    EXPECT_EQ(outcome(post("Transfer-Encoding: chunked", body + end)), "400") << body;
  }
  for (const char* endless : {"1;", "0\r\nTrailer: "}) {
    const std::string body = endless + std::string(2 * kMaxHead, 'x');
    EXPECT_EQ(outcome(post("Transfer-Encoding: chunked", body)), "400") << endless;
  }
}

TEST(RequestReader, LinesEndWithCarriageReturnAndLineFeed) {
  for (const char* bytes :
       {"GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/11\r\n\r\n",
        "GET / HTTP/1.1 \r\n\r\n", "\r\n\r\n", "x\r\n\r\n",
        "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n"}) {
    EXPECT_EQ(outcome(bytes), "400") << bytes;
  }
}

TEST(RequestReader, LinesDoNotGoOnInTheNextOne) {
  for (const char* fields : {"X: a\r\n b", "X: a\r\n\tb", "X:\r\n b", "Content-Length:\r\n 1",
                             "X: a\r\n Transfer-Encoding: chunked", " X: a", "X: a\r\n "}) {
    EXPECT_EQ(outcome(post(fields, "0")), "400") << fields;
    EXPECT_EQ(outcome(post(fields, "0"), 1), "400") << fields;
  }
}

TEST(RequestReader, OtherVersionsAreRefused) {
  EXPECT_EQ(outcome("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "400");
  EXPECT_EQ(outcome("GET / HTTP/0.9\r\n\r\n"), "400");
}

TEST(AnswerHead, SaysWhatFollows) {
  EXPECT_EQ(answer_head({503, "no\n", "text/x"}, false),
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/x\r\nContent-Length: 3\r\n"
            "Connection: close\r\n\r\n");
  EXPECT_THAT(answer_head({}, true), HasSubstr("Connection: keep-alive\r\n"));
}

std::string reply_of(std::string_view bytes, bool ended = true) {
  ReplyReader reader(kMaxHead, kMaxBody);
  for (const char byte : bytes) {
    reader.space()[0] = byte;
    reader.received(1);
    const Progress progress = reader.read();
    if (progress == Progress::kRefused) return "refused";
    if (progress == Progress::kDone) {
      const HttpReply reply = reader.take();
      return std::to_string(reply.status) + " " + reply.body;
    }
  }
  if (!ended) return "more";
  if (reader.read_end() == Progress::kRefused) return "refused";
  return std::to_string(reader.take().status) + " at the end";
}

TEST(ReplyReader, ReadsWhatAServerMaySay) {
  EXPECT_EQ(reply_of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), "200 ok");
  EXPECT_EQ(reply_of("HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
            "503 x");
  EXPECT_EQ(reply_of("HTTP/1.0 200 OK\r\n\r\nuntil the end"), "200 at the end");
  EXPECT_EQ(reply_of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", false), "more");
}

TEST(ReplyReader, RefusesWhatIsCutOffOrTooLarge) {
  EXPECT_EQ(reply_of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"), "refused");
  EXPECT_EQ(reply_of("HTTP/1.1 200 OK\r\n"), "refused");
  EXPECT_EQ(reply_of(""), "refused");
  EXPECT_EQ(reply_of("SSH-2.0-OpenSSH_9.2\r\n"), "refused");
  EXPECT_EQ(reply_of("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n"), "refused");
  EXPECT_EQ(reply_of("HTTP/1.1 200 " + std::string(2 * kMaxHead, 'x')), "refused");
}

}  // namespace
}  // namespace neardup::TEST_FILE
