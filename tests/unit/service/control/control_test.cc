// What a service answers to commands, and the file by which they find it.
#include "service/control/control.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "pipeline/base/failure.h"
#include "service/http/client.h"
#include "service/http/health.h"
#include "service/http/server.h"
#include "storage/memory_store.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The service's deciding thread, as far as tasks see it.
class Owner {
 public:
  Owner(StateTasks& tasks, StateAccess& state)
      : open_(tasks, [this] { wakes_.fetch_add(1); }), thread_([this, &tasks, &state] {
          while (!stop_) {
            tasks.do_all(state);
            std::this_thread::yield();
          }
        }) {}
  ~Owner() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<int> wakes_{0};
  std::atomic<bool> stop_{false};
  AcceptStateTasks open_;
  std::thread thread_;
};

class ControlTest : public testing::Test {
 protected:
  ControlTest() {
    WriteSet writes;
    for (const char* id : {"a", "b"}) {
      DocumentRow row;
      row.seq = id[0] == 'a' ? 1 : 2;
      row.id = id;
      row.text_bytes = 10;
      writes.documents.push_back({row, {}, {}});
      writes.ids.push_back({{"", id}, {.seq = row.seq}});
    }
    store_->commit(writes);
  }

  HttpReply post(const std::string& path, const std::string& body) {
    HttpRoutes routes;
    control_.add_routes(routes);
    HttpOptions options;
    options.listen = "127.0.0.1:0";
    HttpGuard guard;
    guard.set_writers({control_.token()});
    const HttpServer server(options, routes, guard);
    return http_post(server.local_url(), path, control_.token(), body, std::chrono::seconds(60))
        .value();
  }

  HttpReply post_to_owner(const std::string& path, const std::string& body) {
    OwnState state(*store_);
    const Owner owner(control_.tasks(), state);
    return post(path, body);
  }

  ScratchDirectory scratch_;
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  Health health_;
  Log log_{LogOptions{}};
  BackupOptions backup_;
  Rule rule_;
  Control control_{backup_, scratch_.path(), rule_, health_, log_};
};

TEST_F(ControlTest, AnswersComeFromTheOwnersStore) {
  const HttpReply json = post_to_owner("/v1/control/stats", "{}");
  EXPECT_EQ(json.status, 200);
  EXPECT_THAT(json.body, HasSubstr("\"documents\":2,\"ids\":2,"));
  EXPECT_THAT(post_to_owner("/v1/control/stats", R"({"form":"text"})").body,
              HasSubstr("documents    2\n"));
}

TEST_F(ControlTest, TheRuleIsToldWithoutTheOwner) {
  rule_.decision.threshold = 700'000;
  const HttpReply reply = post("/v1/control/rule", "{}");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("\"rule\":\"" + rule_fingerprint(rule_text(rule_)) + "\""));
  EXPECT_THAT(reply.body, HasSubstr("threshold_ppm: 700000\\n"));
}

TEST_F(ControlTest, DeletesAreDoneAndReported) {
  const HttpReply reply = post_to_owner("/v1/control/delete", R"({"ids":["b","x\"y","b"]})");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, R"({"deleted":1,"documents":1,"text_bytes":10,"unknown":["x\"y"]})"
                        "\n");
  EXPECT_EQ(store_->size().ids, 1);
}

TEST_F(ControlTest, WhileTheStateCatchesUpNothingIsDeleted) {
  control_.set_catching_up(true);
  const HttpReply reply = post_to_owner("/v1/control/delete", R"({"ids":["a"]})");
  EXPECT_EQ(reply.status, 503);
  EXPECT_THAT(reply.body, HasSubstr("catches up with what was delivered"));
  EXPECT_THAT(reply.body, HasSubstr("\"exit\":75}"));
  EXPECT_EQ(store_->size().ids, 2);
  EXPECT_EQ(post_to_owner("/v1/control/stats", "{}").status, 200);
}

TEST_F(ControlTest, DeletesOfAClusterAreWrittenToItsInput) {
  control_.delete_by_input();
  EXPECT_EQ(post("/v1/control/delete", R"({"ids":["a"]})").status, 503);  // another one leads
  std::vector<std::string> written;
  const Control::DeleteWriter write = [&](const std::string& name_space,
                                          const std::vector<std::string>& ids) {
    EXPECT_EQ(name_space, "");
    written = ids;
  };
  const OpenShared<const Control::DeleteWriter> open(control_.delete_writer(), write);
  OwnState state(*store_);
  const Owner owner(control_.reads(), state);
  const HttpReply reply = post("/v1/control/delete", R"({"ids":["b","x"]})");
  EXPECT_EQ(reply.body, R"({"deleted":1,"documents":1,"text_bytes":10,"unknown":["x"]})"
                        "\n");
  EXPECT_THAT(written, testing::ElementsAre("b", "x"));  // x may be in the log already
  EXPECT_EQ(store_->size().ids, 2);
}

TEST_F(ControlTest, WhoDoesNotDecideSaysWhyNot) {
  health_.set_not_ready("connecting to Kafka");
  const HttpReply reply = post("/v1/control/stats", "{}");
  EXPECT_EQ(reply.status, 503);
  EXPECT_THAT(reply.body, HasSubstr("is not deciding: connecting to Kafka: retry later"));
}

TEST_F(ControlTest, BodiesThatCannotBeUnderstoodAreToldAndHarmNothing) {
  for (const char* body : {"", "{", "[]", "7", "{}", R"({"ids":"a"})", R"({"ids":["a",7]})",
                           R"({"ids":["a"],"namespace":7})"}) {
    const HttpReply reply = post_to_owner("/v1/control/delete", body);
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_THAT(reply.body, HasSubstr("\"exit\":64}")) << body;
  }
  EXPECT_EQ(store_->size().ids, 2);
}

TEST_F(ControlTest, WhatTheStateRefusesHasTheStatusOfTheCommand) {
  const HttpReply reply = post_to_owner("/v1/control/explain", R"({"a":"a","b":"nobody"})");
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(
      reply.body,
      HasSubstr(
          R"("detail":"nobody: the state has no such id","reason":"wrong_request","exit":64})"));
  const HttpReply memory = post_to_owner("/v1/control/checkpoint", "{}");
  EXPECT_EQ(memory.status, 400);
  EXPECT_THAT(memory.body, HasSubstr("\"exit\":78}"));
}

TEST_F(ControlTest, ABackupNeedsAPlaceAndIsKnownByItsName) {
  const HttpReply nowhere = post_to_owner("/v1/control/backup", "{}");
  EXPECT_EQ(nowhere.status, 400);
  EXPECT_THAT(nowhere.body, HasSubstr("`backup.directory` is not set"));
  const HttpReply unknown = post_to_owner("/v1/control/backup", R"({"name":"../x"})");
  EXPECT_EQ(unknown.status, 503);
  EXPECT_THAT(unknown.body, HasSubstr("\"exit\":75}"));
}

TEST(ControlFileTest, IsTheOwnersAloneReplacesAnOldOneAndGoesAway) {
  const ScratchDirectory scratch;
  scratch.write("control", "left behind");
  scratch.write("control.new", "left behind");
  {
    const ControlFile file(scratch.path(), {"http://127.0.0.1:1", "secret"});
    struct stat found = {};
    ASSERT_EQ(::stat(scratch.file("control").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0600);
    const auto address = read_control(scratch.path());
    ASSERT_TRUE(address);
    EXPECT_EQ(address->url, "http://127.0.0.1:1");
    EXPECT_EQ(address->token, "secret");
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_FALSE(read_control(scratch.path()));
}

TEST(ControlFileTest, AnythingElseNamesNobody) {
  const ScratchDirectory scratch;
  for (const char* bytes : {"", "{", "{}", "null", R"({"neardup_control":2,"url":"u","token":"t"})",
                            R"({"neardup_control":1,"url":"u"})"}) {
    scratch.write("control", bytes);
    EXPECT_FALSE(read_control(scratch.path())) << bytes;
  }
}

TEST(ControlFileTest, TokensAreLongAndNeverTheSame) {
  EXPECT_EQ(new_token().size(), 64);
  EXPECT_NE(new_token(), new_token());
}

}  // namespace
}  // namespace neardup::TEST_FILE
