// Members of a group on librdkafka's mock broker: errors that a real one gives rarely.
#include <gtest/gtest.h>

#include <memory>

#include "service/kafka/cluster/group_member.h"
#include "tests/unit/service/kafka/mock_broker.h"

namespace neardup::TEST_FILE {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kLongest{30};
constexpr milliseconds kSession{3000};

class JoiningAGroup : public testing::Test {
 protected:
  JoiningAGroup() {
    broker_.create_topic("docs", 2);
    broker_.assign_after(milliseconds(100));
    options_.brokers = broker_.bootstrap();
    options_.group_id = "group";
  }

  std::unique_ptr<GroupMember> join() {
    return std::make_unique<GroupMember>(options_, GroupMemberOptions{"group", {"docs"}, kSession},
                                         log_);
  }

  // Waits until the member has so many partitions.
  static Membership await(GroupMember& member, std::size_t partitions) {
    Membership now;
    const auto end = steady_clock::now() + kLongest;
    while (now.partitions.size() != partitions && steady_clock::now() < end) {
      now = member.wait(now.generation, milliseconds(100));
    }
    EXPECT_EQ(now.partitions.size(), partitions);
    return now;
  }

  static bool commit(GroupMember& member, std::int32_t partition) {
    const OffsetCommit one{{{"docs", partition}, 5}, ""};
    return member.commit(std::span(&one, 1));
  }

  MockBroker broker_;
  KafkaOptions options_;
  Log log_{{.level = LogLevel::kError}, [](std::string_view) {}, std::chrono::system_clock::now};
};

TEST_F(JoiningAGroup, ACommitCanWaitUntilTheGroupHasChanged) {
  const auto member = join();
  await(*member, 2);
  broker_.fail(kCommitAsMember, {RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION});
  EXPECT_THROW(commit(*member, 0), KafkaError);
  member->finished(member->now().generation);
}

TEST_F(JoiningAGroup, AMemberThatGivesPartitionsUpDoesNotWaitForACommit) {
  const auto first = join();
  await(*first, 2);
  const auto second = join();
  const Membership rest = await(*first, 1);
  const std::int32_t leaving = 1 - rest.partitions.front().partition;
  broker_.fail(kCommitAsMember, {RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION});
  EXPECT_FALSE(commit(*first, leaving));
  first->finished(rest.generation);
  await(*second, 1);
  second->finished(second->now().generation);
  first->finished(first->now().generation);
}

}  // namespace
}  // namespace neardup::TEST_FILE
