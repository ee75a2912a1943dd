#include "service/http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "tests/unit/service/http/raw_client.h"
#include "tests/unit/service/http/test_routes.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kGet = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

class Server : public ::testing::Test {
 protected:
  HttpServer start() { return {{"127.0.0.1:0"}, routes_}; }
  static std::string ask(const HttpServer& server, std::string_view request = kGet) {
    RawClient client(server.address());
    client.send(request);
    return client.receive();
  }
  static std::string ask_for(const HttpServer& server, const std::string& path,
                             const std::string& method = "GET") {
    return ask(server, method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }
  static std::string refusal(const std::string& listen) {
    try {
      const HttpServer server({listen}, {});
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kConfig);
      return failure.what();
    }
    return "listens";
  }

  Health health_;
  HttpRoutes routes_ = routes_to_try(health_);
};

TEST_F(Server, AFreePortIsFoundAndTold) {
  const HttpServer server = start();
  EXPECT_THAT(server.address(), MatchesRegex("127\\.0\\.0\\.1:[1-9][0-9]*"));
  EXPECT_THAT(ask(server), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("\r\n\r\nok\n")));
}

TEST_F(Server, APortInUseIsRefused) {
  const HttpServer server = start();
  EXPECT_THAT(refusal(server.address()),
              StartsWith("http.listen: " + server.address() + " cannot be listened on"));
}

TEST_F(Server, ARefusalNamesTheKeyOfThePort) {
  const HttpServer server = start();
  try {
    const HttpServer second({server.address()}, routes_, {}, nullptr, "http.metrics_listen");
    FAIL() << "listens";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), StartsWith("http.metrics_listen: " + server.address()));
  }
}

TEST_F(Server, APortIsFreeAgainAfterwards) {
  std::string address;
  {
    const HttpServer server = start();
    address = server.address();
    EXPECT_THAT(ask(server), EndsWith("ok\n"));
  }
  const HttpServer again({address}, routes_);
  EXPECT_THAT(ask(again), EndsWith("ok\n"));
}

TEST_F(Server, AnAddressOfAnotherMachineIsRefused) {
  EXPECT_THAT(refusal("192.0.2.1:0"), StartsWith("http.listen: 192.0.2.1:0 cannot be listened on"));
}

TEST_F(Server, Ipv6IsWrittenInBrackets) {
  try {
    const HttpServer server({"[::1]:0"}, routes_);
    EXPECT_THAT(server.address(), MatchesRegex("\\[::1\\]:[1-9][0-9]*"));
  } catch (const Failure& failure) {
    GTEST_SKIP() << failure.what();
  }
}

TEST_F(Server, ARequestMayComeInPieces) {
  const HttpServer server = start();
  RawClient client(server.address());
  for (const char byte : kGet) ASSERT_TRUE(client.send({&byte, 1}));
  EXPECT_THAT(client.receive(), EndsWith("\r\n\r\nok\n"));
}

TEST_F(Server, ALargeAnswerArrivesWhole) {
  const std::string large(std::size_t{8} << 20, 'x');
  routes_.push_back(get_route("/large", [&large](const HttpRequest&) {
    return HttpAnswer{200, large};
  }));
  const HttpServer server = start();
  const std::string answer = ask_for(server, "/large");
  EXPECT_TRUE(answer.ends_with("\r\n\r\n" + large)) << answer.size();
}

TEST_F(Server, EveryPathIsAnsweredAndOthersAreTold) {
  const HttpServer server = start();
  EXPECT_THAT(ask_for(server, "/version"),
              AllOf(HasSubstr("Content-Type: application/json"), EndsWith("\r\n\r\n{}\n")));
  EXPECT_THAT(ask_for(server, "/else"),
              AllOf(StartsWith("HTTP/1.1 404 "), HasSubstr("/healthz /readyz /version")));
  EXPECT_THAT(ask_for(server, "/healthz", "HEAD"),
              AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("\r\n\r\n")));
}

TEST_F(Server, OtherMethodsAreRefused) {
  const HttpServer server = start();
  for (const char* method : {"POST", "PUT", "DELETE"}) {
    EXPECT_THAT(ask_for(server, "/healthz", method), StartsWith("HTTP/1.1 405 "));
  }
}

class ServerWithTokens : public Server {
 protected:
  static constexpr std::string_view kToken = "0123456789abcdef";

  // POSTs `body` to /do with this value of Authorization.
  std::string post(std::string_view authorization, std::string_view body = "x") {
    const HttpServer server({"127.0.0.1:0"}, routes_, guard_of(std::string(kToken)));
    return ask(server, "POST /do HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: " +
                           std::string(authorization) + "\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
  }
};

TEST_F(ServerWithTokens, WhoKnowsATokenIsAnswered) {
  for (const char* scheme : {"Bearer", "bearer", "BEARER"})
    EXPECT_THAT(post(scheme + std::string(" 0123456789abcdef")),
                AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("done x")));
}

TEST_F(ServerWithTokens, NobodyElseIs) {
  for (const char* authorization :
       {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
        "Bearer 0123456789abcdeF", "bearer 0123456789abcdeF", "0123456789abcdef",
        "Basic 0123456789abcdef", "Bearer fedcba9876543210 0123456789abcdef"}) {
    EXPECT_THAT(post(authorization), StartsWith("HTTP/1.1 401 ")) << authorization;
  }
  const HttpServer server({"127.0.0.1:0"}, routes_, guard_of(std::string(kToken)));
  EXPECT_THAT(ask_for(server, "/do", "POST"), StartsWith("HTTP/1.1 401 "));
}

TEST_F(ServerWithTokens, WithoutATokenNoBodyIsRead) {
  const HttpServer server({"127.0.0.1:0"}, routes_, guard_of(std::string(kToken)));
  EXPECT_THAT(ask(server, "POST /do HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n"),
              StartsWith("HTTP/1.1 401 "));
}

TEST_F(ServerWithTokens, OnlyPostIsTakenThereAndNowhereElse) {
  const HttpServer server({"127.0.0.1:0"}, routes_, guard_of(std::string(kToken)));
  EXPECT_THAT(ask_for(server, "/do"), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(ask_for(server, "/healthz", "POST"), StartsWith("HTTP/1.1 405 "));
}

TEST_F(ServerWithTokens, ABodyOfMoreThan4MiBIsRefused) {
  EXPECT_THAT(post("Bearer " + std::string(kToken), std::string((4 << 20) + 1, 'x')),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(Server, APageOfAListedOriginIsToldSoByAnswersToItAlone) {
  const HttpServer server({.listen = "127.0.0.1:0", .cors_origins = {"http://page"}}, routes_);
  const std::string answers = ask(server,
                                  "OPTIONS /healthz HTTP/1.1\r\nHost: x\r\nOrigin: "
                                  "http://page\r\nAccess-Control-Request-Method: "
                                  "GET\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nOrigin: "
                                  "http://page\r\n\r\nno request\r\n\r\n");
  const std::size_t second = answers.find("HTTP/1.1 200 ");
  ASSERT_NE(second, answers.npos);
  const std::size_t third = answers.find("HTTP/1.1 400 ", second);
  ASSERT_NE(third, answers.npos);
  constexpr const char* kLeave = "Access-Control-Allow-Origin: http://page\r\n";
  EXPECT_THAT(answers.substr(0, second),
              AllOf(StartsWith("HTTP/1.1 204 "), HasSubstr(kLeave),
                    HasSubstr("Access-Control-Allow-Methods: GET, HEAD\r\n"),
                    Not(HasSubstr("Content-Length"))));
  EXPECT_THAT(answers.substr(second, third - second), HasSubstr(kLeave));
  EXPECT_THAT(answers.substr(third), Not(HasSubstr("Access-Control")));
}

TEST_F(Server, ItsUrlLeadsFromThisMachine) {
  const HttpServer everywhere({"0.0.0.0:0"}, routes_);
  EXPECT_THAT(everywhere.local_url(), MatchesRegex("http://127\\.0\\.0\\.1:[1-9][0-9]*"));
}

TEST_F(Server, BytesThatAreNoRequestHarmNobody) {
  const HttpServer server = start();
  ask(server, std::string(100000, 'x') + "\r\n\r\n");
  EXPECT_THAT(ask(server), EndsWith("ok\n"));
}

TEST_F(Server, ASilentClientDelaysNobody) {
  const HttpServer server = start();
  const RawClient silent(server.address());
  EXPECT_THAT(ask(server), EndsWith("ok\n"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
