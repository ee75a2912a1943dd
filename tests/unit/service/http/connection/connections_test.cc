#include "service/http/connection/connections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using Admitted = Connections::Admitted;
using std::chrono::seconds;

class ConnectionsTest : public ::testing::Test {
 protected:
  class One : public Connection {
   public:
    One(ConnectionsTest& test, std::string name, std::string client)
        : Connection(std::move(client)), test_(test), name_(std::move(name)) {}
    void evict() override {
      test_.evicted_.push_back(name_);
      test_.connections_.leave(*this);
    }
    void drain() override { evict(); }
    void waits(int since) { set_waiting(Time(seconds(since))); }
    void is_answered() { set_waiting({}); }
    void shows(Shown shown) { set_shown(shown); }

   private:
    ConnectionsTest& test_;
    const std::string name_;
  };

  // One that begins to wait at once, a second after the one before.
  One& make(const std::string& name, const std::string& client) {
    made_.push_back(std::make_unique<One>(*this, name, client));
    made_.back()->waits(++clock_);
    return *made_.back();
  }
  Admitted admit(const std::string& name, const std::string& client) {
    return connections_.admit(make(name, client));
  }

  Connections connections_{4, 2};
  std::vector<std::string> evicted_;
  std::vector<std::unique_ptr<One>> made_;
  int clock_ = 0;
};

TEST_F(ConnectionsTest, UpToTheLimitsAllAreTaken) {
  for (const char* client : {"a", "a", "b", "b"}) EXPECT_EQ(admit("1", client), Admitted::kFreely);
  EXPECT_EQ(connections_.open(), 4);
  EXPECT_THAT(evicted_, ElementsAre());
}

TEST_F(ConnectionsTest, AClientWithTooManyLosesItsOwn) {
  admit("b1", "b");
  admit("a1", "a");
  admit("a2", "a");
  EXPECT_EQ(admit("a3", "a"), Admitted::kForOneOfClient);
  EXPECT_THAT(evicted_, ElementsAre("a1"));
  EXPECT_EQ(connections_.open(), 3);
}

TEST_F(ConnectionsTest, WhenAllAreTakenTheOneThatWaitsLongestGoes) {
  admit("a1", "a");
  One& second = make("b1", "b");
  connections_.admit(second);
  admit("c1", "c");
  admit("d1", "d");
  made_[0]->waits(100);  // it has had an answer since
  EXPECT_EQ(admit("e1", "e"), Admitted::kForOneOfAll);
  EXPECT_THAT(evicted_, ElementsAre("b1"));
  EXPECT_EQ(connections_.open(), 4);
}

TEST_F(ConnectionsTest, WhatHasShownLeastGoesFirst) {
  Connections connections{16, 16};
  std::vector<One*> all;
  for (int i = 0; i < 16; ++i) {
    all.push_back(&make(std::to_string(i), "a"));
    connections.admit(*all.back());
  }
  evicted_.clear();
  const auto next = [&] {
    connections.evict_one();  // leaves connections_, not this
    connections.leave(*made_[std::stoul(evicted_.back())]);
    return evicted_.back();
  };
  for (int i = 0; i < 8; ++i) all[i]->shows(Shown::kToken);
  for (int i = 8; i < 12; ++i) all[i]->shows(Shown::kHead);
  for (const char* name : {"12", "13", "14"}) EXPECT_EQ(next(), name) << "has shown nothing";
  for (const char* name : {"8", "9", "10", "11"})
    EXPECT_EQ(next(), name) << "one newcomer may stay";
  EXPECT_EQ(next(), "15") << "before those with a token";
  EXPECT_EQ(next(), "0");
}

TEST_F(ConnectionsTest, WhatIsBeingAnsweredStays) {
  for (const char* client : {"a", "b", "c", "d"}) {
    One& one = make(client, client);
    one.is_answered();
    connections_.admit(one);
  }
  EXPECT_EQ(admit("e", "e"), Admitted::kNot);
  made_[2]->waits(50);
  EXPECT_EQ(admit("f", "f"), Admitted::kForOneOfAll);
  EXPECT_THAT(evicted_, ElementsAre("c"));
}

TEST_F(ConnectionsTest, AClientWhoseConnectionsAreAllBeingAnsweredGetsNoOther) {
  for (const char* client : {"a", "a", "b"}) {
    One& one = make(client, client);
    one.is_answered();
    connections_.admit(one);
  }
  EXPECT_EQ(admit("a3", "a"), Admitted::kNotOfClient);
  EXPECT_EQ(admit("c", "c"), Admitted::kFreely);
}

TEST_F(ConnectionsTest, WhatLeavesMakesRoom) {
  admit("a1", "a");
  admit("a2", "a");
  connections_.leave(*made_[0]);
  EXPECT_EQ(admit("a3", "a"), Admitted::kFreely);
}

TEST_F(ConnectionsTest, DrainingReachesAll) {
  admit("a1", "a");
  admit("b1", "b");
  connections_.drain();
  EXPECT_THAT(evicted_, ElementsAre("a1", "b1"));
  EXPECT_EQ(connections_.open(), 0);
  EXPECT_FALSE(connections_.evict_one());
}

}  // namespace
}  // namespace neardup::TEST_FILE
