#include "service/http/connection/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/http/client.h"
#include "service/http/server.h"
#include "tests/scratch_directory.h"
#include "tests/unit/service/http/connection/test_certificates.h"
#include "tests/unit/service/http/connection/tls_client.h"
#include "tests/unit/service/http/raw_client.h"
#include "tests/unit/service/http/test_routes.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kLastProbe =
    "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

class ServerWithTls : public ::testing::Test {
 protected:
  ServerWithTls() {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets that are closed
    put(authority_.issue("first"));
  }

  // Replaces the certificate of the port.
  void put(const TestAuthority::Certificate& certificate) {
    scratch_.write("cert", certificate.cert);
    scratch_.write("key", certificate.key);
  }
  std::unique_ptr<HttpTls> tls() {
    return std::make_unique<HttpTls>(
        files_, [this](const std::string& problems) { told_.push_back(problems); });
  }
  HttpServer start() { return {options_, routes_, guard_of(kToken), tls()}; }

  // The files of a client that shows a certificate.
  TlsClient::Files with(const TestAuthority::Certificate& certificate) {
    return {trusted_.ca, scratch_.write("client_cert", certificate.cert),
            scratch_.write("client_key", certificate.key)};
  }
  std::string ask(const HttpServer& server, const TlsClient::Files& files) {
    TlsClient client(server.address(), files);
    client.send(kLastProbe);
    return client.receive();
  }
  std::string ask(const HttpServer& server) { return ask(server, trusted_); }

  static std::string post(std::string_view token, std::string_view body) {
    return "POST /do HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " +
           std::string(token) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           std::string(body);
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
  // The files are looked at once a second at most.
  static void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(1010)); }
  std::string problems() {
    try {
      tls();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kConfig);
      return failure.what();
    }
    return "none";
  }

  ScratchDirectory scratch_;
  TestAuthority authority_{"authority"};
  TlsClient::Files trusted_{scratch_.write("ca", authority_.cert())};
  HttpTlsOptions files_{.cert_file = scratch_.file("cert"), .key_file = scratch_.file("key")};
  std::vector<std::string> told_;
  Health health_;
  HttpOptions options_{.listen = "127.0.0.1:0", .head_seconds = 1};
  HttpRoutes routes_ = routes_to_try(health_);
};

TEST_F(ServerWithTls, AnswersInTls) {
  const HttpServer server = start();
  EXPECT_THAT(server.local_url(), StartsWith("https://127.0.0.1:"));
  TlsClient client(server.address(), trusted_);
  ASSERT_TRUE(client.connected());
  EXPECT_EQ(client.server(), "first");
  client.send(kLastProbe);
  EXPECT_THAT(client.receive(), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith(kOk)));
  EXPECT_TRUE(client.ended_well());
}

TEST_F(ServerWithTls, TakesOneRequestAfterTheOther) {
  const HttpServer server = start();
  TlsClient client(server.address(), trusted_);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(client.send(kProbe));
    ASSERT_THAT(client.receive_until(kOk), HasSubstr("Connection: keep-alive\r\n"));
  }
}

TEST_F(ServerWithTls, TakesNoOldVersion) {
  const HttpServer server = start();
  EXPECT_TRUE(TlsClient(server.address(), trusted_, TLS1_2_VERSION).connected());
  EXPECT_FALSE(TlsClient(server.address(), trusted_, TLS1_1_VERSION).connected());
}

TEST_F(ServerWithTls, TellsWhoDoesNotKnowOfIt) {
  const HttpServer server = start();
  RawClient client(server.address());
  client.send(post(kToken, "x"));
  EXPECT_THAT(client.receive(), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("https://"),
                                      HasSubstr("Connection: close"), Not(HasSubstr("done"))));
  RawClient other(server.address());
  other.send("neither TLS nor HTTP\r\n\r\n");
  EXPECT_THAT(other.receive(), Not(HasSubstr("HTTP")));
  EXPECT_THAT(ask(server), EndsWith(kOk));
}

TEST_F(ServerWithTls, MovesLargeBodiesBothWays) {
  const HttpServer server = start();
  std::string body(3'900'000, ' ');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i * i % 23);
  TlsClient client(server.address(), trusted_);
  ASSERT_TRUE(client.send(post(kToken, body)));
  const std::string answer = client.receive();
  EXPECT_TRUE(answer.ends_with("\r\n\r\ndone " + body)) << answer.size();
  EXPECT_TRUE(client.ended_well());
}

TEST_F(ServerWithTls, WhoIsRefusedWhileSendingReadsWhy) {
  const HttpServer server = start();
  TlsClient client(server.address(), trusted_);
  client.send(post("other", std::string(1'000'000, 'x')));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 401 "));
  EXPECT_TRUE(client.ended_well());
}

TEST_F(ServerWithTls, AHeadThatDripsIsAnsweredInTime) {
  const HttpServer server = start();
  TlsClient client(server.address(), trusted_);
  client.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: ");
  EXPECT_TRUE(wait_until([&] {
    client.send("a");
    return server.connections().for_time == 1;
  }));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 408 "));
}

TEST_F(ServerWithTls, AHandshakeThatDripsIsCutOffInTime) {
  const HttpServer server = start();
  RawClient client(server.address());
  client.send(std::string("\x16\x03\x01\x02\x00", 5));  // a record of 512 bytes
  EXPECT_TRUE(wait_until([&] {
    client.send("a");
    return server.connections().for_time == 1;
  }));
  EXPECT_EQ(client.receive(), "");
}

TEST_F(ServerWithTls, WhoSaysNothingIsDisconnectedAndDelaysNobody) {
  const HttpServer server = start();
  RawClient silent(server.address());
  EXPECT_THAT(ask(server), EndsWith(kOk));
  EXPECT_EQ(silent.receive(), "");
  EXPECT_EQ(server.connections().for_time, 0);
}

TEST_F(ServerWithTls, WithAllConnectionsInHandshakesAProbeIsAnswered) {
  options_.max_connections = kLeast;
  options_.head_seconds = 60;
  const HttpServer server = start();
  std::vector<RawClient> clients;
  for (int i = 0; i < 100; ++i) {
    clients.emplace_back(server.address());
    clients.back().send(std::string("\x16\x03\x01", 3));
  }
  for (int i = 0; i < 10; ++i) EXPECT_THAT(ask(server), EndsWith(kOk));
  EXPECT_LE(server.connections().open, kLeast);
  EXPECT_GT(server.connections().for_connections, 100 - kLeast);
}

TEST_F(ServerWithTls, ANewCertificateIsForNewConnections) {
  options_.head_seconds = 60;
  const HttpServer server = start();
  TlsClient before(server.address(), trusted_);
  put(authority_.issue("second"));
  wait();
  EXPECT_EQ(TlsClient(server.address(), trusted_).server(), "second");
  ASSERT_TRUE(before.send(kLastProbe));
  EXPECT_THAT(before.receive(), EndsWith(kOk));
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(ServerWithTls, ABrokenCertificateLeavesTheOldOne) {
  auto server = std::make_unique<HttpServer>(options_, routes_, guard_of(kToken), tls());
  scratch_.write("key", authority_.issue("second").key);
  for (int i = 0; i < 2; ++i) {
    wait();
    EXPECT_EQ(TlsClient(server->address(), trusted_).server(), "first");
  }
  server.reset();  // told_ is written by its thread
  EXPECT_THAT(told_, ElementsAre(AllOf(HasSubstr("`http.tls.key_file`"), HasSubstr("mismatch"))));
}

class ServerForCertainClients : public ServerWithTls {
 protected:
  ServerForCertainClients() { files_.client_ca_file = trusted_.ca; }
};

TEST_F(ServerForCertainClients, ACertificateOfTheAuthorityIsTaken) {
  const HttpServer server = start();
  EXPECT_THAT(ask(server, with(authority_.issue("client"))), EndsWith(kOk));
}

TEST_F(ServerForCertainClients, NobodyElseIsAnswered) {
  const HttpServer server = start();
  const TestAuthority other("authority");
  EXPECT_EQ(ask(server), "");
  EXPECT_EQ(ask(server, with(other.issue("client"))), "");
  EXPECT_EQ(ask(server, with(authority_.issue("client", -1))), "") << "expired";
  TlsClient old(server.address(), trusted_, TLS1_2_VERSION);
  EXPECT_FALSE(old.connected());
}

TEST_F(ServerForCertainClients, AnotherAuthorityIsReadWhenItsFileChanges) {
  const HttpServer server = start();
  const TestAuthority other("other");
  files_.client_ca_file = scratch_.write("ca", other.cert());
  trusted_.ca = scratch_.write("first_ca", authority_.cert());
  wait();
  EXPECT_EQ(ask(server, with(authority_.issue("client"))), "");
  EXPECT_THAT(ask(server, with(other.issue("client"))), EndsWith(kOk));
}

TEST_F(ServerWithTls, AllProblemsOfItsFilesAreTold) {
  EXPECT_EQ(problems(), "none");
  scratch_.write("cert", "no PEM");
  files_.key_file = scratch_.file("none");
  files_.client_ca_file = scratch_.write("ca", "");
  EXPECT_THAT(
      problems(),
      AllOf(HasSubstr("the file of `http.tls.cert_file` (" + files_.cert_file + ") cannot be used"),
            HasSubstr("`http.tls.key_file` (" + files_.key_file +
                      ") cannot be read: No such file or directory"),
            HasSubstr("`http.tls.client_ca_file` (" + files_.client_ca_file + ") cannot be used")));
}

TEST_F(ServerWithTls, AKeyOfAnotherCertificateIsRefused) {
  scratch_.write("key", authority_.issue("other").key);
  EXPECT_THAT(problems(), HasSubstr("`http.tls.key_file`"));
}

TEST_F(ServerWithTls, AKeyOfAnotherKindIsRefused) {
  const TestKey rsa(EVP_RSA_gen(2048), EVP_PKEY_free);
  BIO* file = BIO_new_file(files_.key_file.c_str(), "w");
  PEM_write_bio_PrivateKey(file, rsa.get(), nullptr, nullptr, 0, nullptr, nullptr);
  BIO_free(file);
  EXPECT_THAT(problems(), HasSubstr("`http.tls.key_file`"));
}

TEST_F(ServerWithTls, AKeyWithAPassphraseIsRefusedWithoutAsking) {
  const TestKey key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  BIO* file = BIO_new_file(files_.key_file.c_str(), "w");
  PEM_write_bio_PrivateKey(file, key.get(), EVP_aes_128_cbc(), nullptr, 0, nullptr,
                           const_cast<char*>("secret"));
  BIO_free(file);
  EXPECT_THAT(problems(), HasSubstr("`http.tls.key_file`"));
}

class ClientInTls : public ServerWithTls {
 protected:
  ~ClientInTls() override { unsetenv("SSL_CERT_FILE"); }
  static void trust(const std::string& path) { setenv("SSL_CERT_FILE", path.c_str(), 1); }
  static std::optional<HttpReply> get(const std::string& url) {
    return http_get(url + "/healthz", std::chrono::seconds(60));
  }
  static std::string refusal(const std::string& url) {
    try {
      get(url);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kConfig);
      return failure.what();
    }
    return "none";
  }
};

TEST_F(ClientInTls, AsksAServiceThatItTrusts) {
  trust(trusted_.ca);
  const HttpServer server = start();
  const auto reply = get(server.local_url());
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "ok\n");
  const auto answer = http_post(server.local_url(), "/do", kToken, std::string(3'000'000, 'x'),
                                std::chrono::seconds(60));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body.size(), std::string("done ").size() + 3'000'000);
}

TEST_F(ClientInTls, RefusesOthersAndTellsWhy) {
  options_.listen = "0.0.0.0:0";
  const HttpServer server = start();
  std::string other_name = server.local_url();
  other_name.replace(other_name.find("127.0.0.1"), 9, "127.0.0.2");
  EXPECT_THAT(refusal(server.local_url()),
              AllOf(HasSubstr("certificate verify failed"), HasSubstr("SSL_CERT_FILE")));
  trust(trusted_.ca);
  EXPECT_EQ(refusal(server.local_url()), "none");
  EXPECT_THAT(refusal(other_name), StartsWith(other_name + ": certificate verify failed"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
