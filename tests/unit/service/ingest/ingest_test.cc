// From the pieces of bodies to the answers of their requests, without port and pipeline.
#include <gmock/gmock.h>

#include <fstream>
#include <thread>

#include "pipeline/base/failure.h"
#include "service/file/file_delivery.h"
#include "service/ingest/documents_port.h"
#include "service/ingest/http_delivery.h"
#include "service/ingest/http_source.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Taken = HttpUpload::Taken;

class Ingest : public testing::Test {
 protected:
  struct Client {
    std::shared_ptr<HttpUpload> upload;
    std::optional<HttpAnswer> answer;
    int resumed = 0;

    Taken send(std::string bytes) {
      return upload->take(std::move(bytes), [this] { ++resumed; });
    }
    void end() {
      upload->end([this](HttpAnswer given) { answer = std::move(given); });
    }
    std::string text() const {
      if (!answer->rest) return answer->body;
      std::string text(answer->rest->size(), '?');
      EXPECT_TRUE(answer->rest->read(0, text));
      return text;
    }
  };

  void open(Client& client, const std::string& type = "") {
    auto opened = route_.open({}, {.body = {}, .type = type, .values = {}});
    client.upload = std::get<std::shared_ptr<HttpUpload>>(opened);
  }

  // Reads a chunk; the bytes of its records.
  std::vector<std::string> read(std::size_t most = 100) {
    std::vector<std::string> records;
    if (!source_.read(most, 1 << 20, chunk_)) return {"end"};
    for (const RawRecord& record : chunk_.records) records.emplace_back(record.bytes);
    if (chunk_.ends_batch) records.emplace_back("|");
    return records;
  }

  // Flags the records of the last chunk.
  void flag() {
    std::vector<Flag> flags;
    for (const RawRecord& record : chunk_.records) {
      Flag flag;
      flag.id = record.bytes;
      flag.seq = ++seq_;
      flag.source = record.source;
      flags.push_back(std::move(flag));
    }
    delivery_.add(chunk_, flags);
  }

  ScratchDirectory scratch_;
  SpoolBudget budget_{{1 << 20, 1 << 30, scratch_.path()}};
  DocumentsPort port_{1'000, "5f0c000000000001", budget_, {}};
  HttpRoute route_ = documents_route(port_);
  HttpSource source_{port_.queue(), port_.requests()};
  HttpDelivery delivery_{FlagWriter("5f0c000000000001", 800'000, body_sources()), port_.requests()};
  RawChunk chunk_;
  Seq seq_ = 0;
};

TEST_F(Ingest, ARequestIsAnsweredWhenItsLastFlagIsCommitted) {
  Client client;
  port_.open();
  open(client);
  EXPECT_EQ(client.send("a\nb\nc"), Taken::kMore);
  EXPECT_THAT(read(), ElementsAre("a", "b", "|"));
  flag();
  EXPECT_EQ(client.send("d\n"), Taken::kMore);
  client.end();
  EXPECT_THAT(read(), ElementsAre("cd", "|"));
  delivery_.end_batch();
  delivery_.after_commit();
  EXPECT_FALSE(client.answer);
  flag();
  EXPECT_FALSE(client.answer);
  delivery_.end_batch();
  delivery_.after_commit();
  ASSERT_TRUE(client.answer);
  EXPECT_EQ(client.answer->status, 200);
  EXPECT_THAT(client.answer->fields, ElementsAre(testing::Pair("Neardup-Counts", "unique=3")));
  EXPECT_THAT(client.text(), testing::StartsWith(R"({"id":"a","seq":1,)"));
  EXPECT_THAT(client.text(), HasSubstr(R"("source":{"line":3}})"));
}

TEST_F(Ingest, ABatchEndsWhenNothingWaits) {
  Client a;
  Client b;
  port_.open();
  open(a);
  open(b);
  a.send("1\n2\n3\n");
  b.send("4\n");
  EXPECT_THAT(read(2), ElementsAre("1", "2"));
  EXPECT_THAT(read(2), ElementsAre("3", "4", "|"));
  a.send("5");
  b.send("6");
  a.end();
  b.upload->abandon();
  EXPECT_THAT(read(1), ElementsAre("5"));
  EXPECT_THAT(read(1), ElementsAre("|")) << "the unfinished record of b is none";
}

// A piece can come at any point of `read`.
TEST_F(Ingest, TheSourceEndsOnlyWhenThePortIsClosed) {
  constexpr int kPieces = 20'000;
  port_.open();
  std::thread client([this] {
    Client sender;
    open(sender);
    for (int i = 0; i < kPieces; ++i) {
      sender.send(i % 4 != 3 ? "a" : "\n");
      for (int spin = i % 64; spin > 0; --spin) std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    sender.end();
    port_.close();
  });
  int records = 0;
  while (source_.read(1, 1 << 20, chunk_)) records += static_cast<int>(chunk_.records.size());
  client.join();
  EXPECT_EQ(records, kPieces / 4);
}

TEST_F(Ingest, FlagsGoToTheirRequests) {
  Client a;
  Client b;
  port_.open();
  open(a);
  open(b);
  a.send("1\n");
  b.send("2\n");
  a.send("3\n");
  a.end();
  b.end();
  EXPECT_THAT(read(), ElementsAre("1", "2", "3", "|"));
  flag();
  delivery_.end_batch();
  delivery_.after_commit();
  ASSERT_TRUE(a.answer && b.answer);
  EXPECT_THAT(a.text(), testing::AllOf(HasSubstr(R"("id":"1")"), HasSubstr(R"("id":"3")")));
  EXPECT_THAT(b.text(), testing::AllOf(HasSubstr(R"("id":"2")"), testing::Not(HasSubstr("\"1\""))));
}

TEST_F(Ingest, ARequestWithoutRecordsIsAnsweredAtOnce) {
  Client client;
  port_.open();
  open(client);
  client.end();
  std::thread reader([&] { read(); });
  while (!port_.queue().empty()) std::this_thread::yield();
  port_.close();
  reader.join();
  ASSERT_TRUE(client.answer);
  EXPECT_EQ(client.text(), "");
}

TEST_F(Ingest, AFastClientWaits) {
  Client client;
  port_.open();
  open(client);
  Taken taken = Taken::kMore;
  int pieces = 0;
  for (; taken == Taken::kMore; ++pieces) taken = client.send(std::string(1 << 20, '\n'));
  EXPECT_EQ(taken, Taken::kWait);
  EXPECT_EQ(pieces, 16);
  for (int i = 0; i < pieces && client.resumed == 0; ++i) port_.queue().pop();
  EXPECT_EQ(client.resumed, 1);
  EXPECT_FALSE(port_.queue().empty());
  EXPECT_EQ(client.send("x"), Taken::kMore);
}

TEST_F(Ingest, AClosedPortRefusesAndTheRestIsDecided) {
  Client early;
  Client client;
  open(early);
  EXPECT_EQ(early.send("x"), Taken::kRefused);
  EXPECT_EQ(early.upload->refusal().status, 503);
  early.end();
  ASSERT_TRUE(early.answer);
  EXPECT_EQ(early.answer->status, 503);
  port_.open();
  open(client);
  client.send("1\n2");
  port_.close();
  EXPECT_EQ(client.send("\n"), Taken::kRefused);
  client.upload->abandon();
  EXPECT_THAT(read(), ElementsAre("1", "|"));
  EXPECT_THAT(read(), ElementsAre("end"));
}

TEST_F(Ingest, AFailureAnswersWhoWaits) {
  Client client;
  port_.open();
  open(client);
  client.send("1\n");
  client.end();
  port_.fail();
  ASSERT_TRUE(client.answer);
  EXPECT_EQ(client.answer->status, 503);
  EXPECT_THAT(client.text(), HasSubstr("resend the documents"));
}

TEST_F(Ingest, FlagsThatCannotBeWrittenAreToldOf) {
  SpoolBudget nowhere({1 << 20, 1 << 30, "/nowhere"});
  DocumentsPort port(1'000, "5f0c000000000001", nowhere, {});
  Client client;
  port.open();
  RequestHead head;
  client.upload = std::get<std::shared_ptr<HttpUpload>>(documents_route(port).open(head, {}));
  client.send("1\n");
  client.end();
  HttpSource source(port.queue(), port.requests());
  source.read(10, 1 << 20, chunk_);
  HttpDelivery delivery(FlagWriter("5f0c000000000001", 800'000, body_sources()), port.requests());
  std::vector<Flag> flags(1);
  flags[0].status = Status::kRejected;
  flags[0].detail = std::string(1 << 20, 'x');
  flags[0].source = chunk_.records[0].source;
  delivery.add(chunk_, flags);
  delivery.end_batch();
  delivery.after_commit();
  ASSERT_TRUE(client.answer);
  EXPECT_EQ(client.answer->status, 500);
  EXPECT_THAT(client.text(), HasSubstr("the documents are stored"));
}

TEST_F(Ingest, AnAnswerThatGrowsTooLargeIsNotKept) {
  DocumentsPort port(1'000, "5f0c000000000001", budget_, {.answer = 1 << 20});
  Client client;
  port.open();
  client.upload = std::get<std::shared_ptr<HttpUpload>>(check_route(port).open({}, {}));
  client.send("1\n2\n3\n");
  client.end();
  HttpSource source(port.queue(), port.requests());
  source.read(10, 1 << 20, chunk_);
  HttpDelivery delivery(FlagWriter("5f0c000000000001", 800'000, body_sources()), port.requests());
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Flag> flags(1);
    flags[0].detail = std::string(600'000, 'x');
    flags[0].status = Status::kRejected;
    flags[0].source = chunk_.records[i].source;
    delivery.add(chunk_, flags);
    delivery.end_batch();
    delivery.after_commit();
    EXPECT_EQ(client.answer.has_value(), i == 2);
  }
  EXPECT_EQ(client.answer->status, 413);
  EXPECT_THAT(client.text(), HasSubstr("more than 1 MiB: send fewer documents"));
}

TEST_F(Ingest, AnAnswerForWhichOthersLeaveNoRoomIsRefusedAndCounted) {
  SpoolBudget budget({1 << 10, 1 << 20, scratch_.path()});
  Spool other(budget);
  other.append(std::string(1'000'000, 'x'));
  DocumentsPort port(1'000, "5f0c000000000001", budget, {});
  Client client;
  port.open();
  client.upload = std::get<std::shared_ptr<HttpUpload>>(documents_route(port).open({}, {}));
  client.send("1\n");
  client.end();
  HttpSource source(port.queue(), port.requests());
  source.read(10, 1 << 20, chunk_);
  HttpDelivery delivery(FlagWriter("5f0c000000000001", 800'000, body_sources()), port.requests());
  std::vector<Flag> flags(1);
  flags[0].status = Status::kRejected;
  flags[0].detail = std::string(600'000, 'x');
  flags[0].source = chunk_.records[0].source;
  delivery.add(chunk_, flags);
  delivery.end_batch();
  delivery.after_commit();
  ASSERT_TRUE(client.answer);
  EXPECT_EQ(client.answer->status, 503);
  EXPECT_THAT(client.text(), HasSubstr("answers_waiting"));
  EXPECT_THAT(client.text(), HasSubstr("the documents are stored"));
  EXPECT_EQ(budget.refused(), 1);
}

TEST_F(Ingest, AFormIsRefusedBeforeItsBody) {
  const auto opened = route_.open({}, {.body = {}, .type = "multipart/form-data", .values = {}});
  EXPECT_EQ(std::get<HttpAnswer>(opened).status, 415);
}

TEST_F(Ingest, ARequestForAnotherRuleIsRefused) {
  RequestHead head;
  head.rule = "5f0c000000000002";
  EXPECT_EQ(std::get<HttpAnswer>(route_.open(head, {})).status, 412);
  head.rule = "5f0c000000000001";
  EXPECT_TRUE(std::holds_alternative<std::shared_ptr<HttpUpload>>(route_.open(head, {})));
}

TEST_F(Ingest, WhoWaitsLongestForItsClientMakesRoomForOneMore) {
  constexpr std::size_t kMost = 3;
  DocumentsPort port(1'000, "5f0c000000000001", budget_, {.requests = kMost});
  route_ = check_route(port);
  port.open();
  std::array<Client, kMost + 2> clients;
  for (std::size_t i = 0; i < kMost; ++i) open(clients[i]);
  clients[0].end();
  EXPECT_EQ(clients[1].send("a"), Taken::kMore);
  open(clients[kMost]);
  EXPECT_EQ(clients[2].send("b"), Taken::kRefused);
  EXPECT_EQ(clients[2].upload->refusal().status, 429);
  clients[2].upload->abandon();
  clients[1].end();
  clients[kMost].end();
  const auto refused = route_.open({}, {.body = {}, .type = "", .values = {}});
  EXPECT_EQ(std::get<HttpAnswer>(refused).status, 429) << "nobody waits for its client";
  HttpSource source(port.queue(), port.requests());
  port.close();
  while (source.read(100, 1 << 20, chunk_)) {
  }
  EXPECT_EQ(port.requests().size(), 1u) << "the flag of a has not been committed";
}

TEST_F(Ingest, ARequestThatIsRefusedForAnotherIsAnsweredAtItsEnd) {
  DocumentsPort port(1'000, "5f0c000000000001", budget_, {.requests = 1});
  route_ = check_route(port);
  port.open();
  Client first;
  Client second;
  open(first);
  open(second);
  first.end();
  ASSERT_TRUE(first.answer);
  EXPECT_EQ(first.answer->status, 429);
  EXPECT_EQ(second.send("a"), Taken::kMore);
}

TEST_F(Ingest, OnlyFlagsOfTheStatusesAskedForAreInTheAnswer) {
  const auto asked = [](const char* only) { return HttpRequest{.values = {{"only", only}}}; };
  for (const char* wrong : {"none", ",unique", "unique;rejected", "Unique"}) {
    EXPECT_EQ(std::get<HttpAnswer>(route_.open({}, asked(wrong))).status, 400) << wrong;
  }
  Client client;
  port_.open();
  client.upload =
      std::get<std::shared_ptr<HttpUpload>>(route_.open({}, asked("near_duplicate,rejected")));
  client.send("1\n2\n3\n");
  client.end();
  read();
  std::vector<Flag> flags(3);
  flags[1].status = Status::kRejected;
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i].source = chunk_.records[i].source;
  delivery_.add(chunk_, flags);
  delivery_.end_batch();
  delivery_.after_commit();
  ASSERT_TRUE(client.answer);
  EXPECT_THAT(client.answer->fields,
              ElementsAre(testing::Pair("Neardup-Counts", "unique=2, rejected=1")));
  EXPECT_THAT(client.text(), HasSubstr(R"("source":{"line":2}})"));
  EXPECT_EQ(std::ranges::count(client.text(), '\n'), 1);
}

TEST_F(Ingest, AFileGetsAllFlagsBeforeTheCommit) {
  FlagsFile file({.path = scratch_.path() + "/flags", .stored = {}, .durable = true});
  const FlagWriter writer("5f0c000000000001", 800'000, body_sources());
  FileDelivery in_file(writer, file, nullptr, true);
  HttpDelivery delivery(writer, port_.requests(), nullptr, &in_file);
  Client client;
  port_.open();
  client.upload = std::get<std::shared_ptr<HttpUpload>>(
      route_.open({}, {.body = {}, .type = {}, .values = {{"only", "rejected"}}}));
  client.send("1\n2\n");
  client.end();
  read();
  std::vector<Flag> flags(2);
  flags[1].status = Status::kRejected;
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i].source = chunk_.records[i].source;
  delivery.add(chunk_, flags);
  WriteSet writes;
  delivery.before_commit(writes);
  EXPECT_FALSE(client.answer);
  EXPECT_THAT(writes.meta, ElementsAre(testing::Pair(kOutputKey, file.stored_value()),
                                       testing::Pair(kOutputBatchKey, "0")));
  delivery.after_commit();
  ASSERT_TRUE(client.answer);
  std::ifstream written(scratch_.path() + "/flags");
  std::string first;
  std::string second;
  std::getline(written, first);
  std::getline(written, second, '\0');
  EXPECT_THAT(first, HasSubstr(R"("status":"unique")"));
  EXPECT_EQ(second, client.text());
}

TEST_F(Ingest, OnlyAServiceOnKafkaLetsClientsWait) {
  const auto asked = [](const char* wait) { return HttpRequest{.values = {{"wait", wait}}}; };
  for (const char* wrong : {"x", "5m", "301", "-1", "30ss", " 3"})
    EXPECT_EQ(std::get<HttpAnswer>(route_.open({}, asked(wrong))).status, 400) << wrong;
  DocumentsPort topics(1'000, "5f0c000000000001", budget_, DocumentsPort::Limits(),
                       DocumentsPort::Answers::kPositions);
  const HttpRoute route = documents_route(topics);
  std::uint32_t number = 0;
  for (const char* wait : {"30s", "30", "300s", "0", ""}) {
    route_.open({}, asked(wait));
    EXPECT_FALSE(port_.requests().find(number)->waits());
    route.open({}, asked(wait));
    EXPECT_EQ(topics.requests().find(number++)->waits(), std::string(wait) > "1");
  }
}

TEST_F(Ingest, OneObjectMayHaveManyLines) {
  Client client;
  port_.open();
  open(client, "application/json");
  client.send("{\n");
  client.send("}\n");
  client.end();
  EXPECT_THAT(read(), ElementsAre("{\n}\n", "|"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
