#include "service/kafka/start/topic_check.h"

#include <gtest/gtest.h>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

const TopicPartition kDocs{"docs", 0};
const TopicPartition kMore{"more", 0};
const CommitMetadata kMark{"state", 7, std::string(32, '0'), 101};

const OutboxReader kNoOutbox = [](auto) { return std::nullopt; };

CommittedOffset committed(const TopicPartition& partition, std::int64_t offset, std::string_view id,
                          const CommitMetadata& mark = kMark) {
  return {partition, offset, encode_mark(mark, id)};
}

TEST(IdsOfPositions, AreThoseOfTheStateFirstAndOfNowLast) {
  const auto ids = ids_of_positions(
      {{"a", "state"}}, {committed({"a", 0}, 1, "kafka"), committed({"b", 0}, 1, "kafka")},
      {{"a", "now"}, {"b", "now"}, {"c", "now"}});
  EXPECT_EQ(ids, (TopicIds{{"a", "state"}, {"b", "kafka"}, {"c", "now"}}));
}

TEST(RestoredOffsets, AreThoseOfTheStateWhereAllOfItIsDelivered) {
  const StateHead head{kMark, {{kDocs, 40}, {kMore, 60}}};
  std::vector<CommittedOffset> there{{kDocs, {}, {}}, committed(kMore, 60, "m")};
  restore_offsets(head, kNoOutbox, {{"docs", "new"}}, there);
  EXPECT_EQ(there.front().offset, 40);
  EXPECT_EQ(decode_mark(there.front().metadata), kMark);
}

TEST(RestoredOffsets, AreThoseBeforeABatchThatIsNotDelivered) {
  StoredBatch next;
  next.before = kMark;
  next.from = {{kDocs, 40}, {kMore, 60}};
  CommitMetadata later = kMark;
  ++later.batch;
  const StateHead head{later, {{kDocs, 50}, {kMore, 60}}};
  std::vector<CommittedOffset> there{{kDocs, {}, {}}, committed(kMore, 60, "m")};
  restore_offsets(
      head, [&](auto number) { return number == 8 ? std::optional(next) : std::nullopt; },
      {{"docs", "new"}}, there);
  EXPECT_EQ(there.front().offset, 40);
}

TEST(RestoredOffsets, AreNoneWhereAnythingElseIsDeliveredOrNothingIsKnown) {
  const StateHead head{kMark, {{kDocs, 40}, {kMore, 60}}};
  CommitMetadata later = kMark;
  ++later.batch;
  std::vector<CommittedOffset> there{{kDocs, {}, {}}, committed(kMore, 90, "m", later)};
  restore_offsets(head, kNoOutbox, {{"docs", "new"}}, there);
  EXPECT_FALSE(there.front().offset);
  there.back() = {kMore, {}, {}};
  restore_offsets(head, kNoOutbox, {{"docs", "new"}, {"more", "new"}}, there);
  EXPECT_FALSE(there.front().offset || there.back().offset);
}

TEST(RestoredOffsets, AreOfTopicsThatWereMadeAgainOnly) {
  const StateHead head{kMark, {{kDocs, 40}, {kMore, 60}}};
  std::vector<CommittedOffset> there{{kDocs, {}, {}}, committed(kMore, 60, "m")};
  restore_offsets(head, kNoOutbox, {}, there);
  EXPECT_FALSE(there.front().offset);
}

class Replay : public testing::Test {
 protected:
  void expect_refused(const TopicIds& committed, const TopicIds& now) {
    EXPECT_THROW(require_replayable(&head_, target_, committed, now), Failure);
  }

  const StateHead head_{kMark, {{kDocs, 40}, {kMore, 60}}, {{"docs", "d"}, {"more", "m"}}};
  const StateHead target_{{"state", 9, std::string(32, '1'), 201}, {{kDocs, 90}, {kMore, 60}}};
};

TEST_F(Replay, OfTheSameTopicsIsRight) {
  const TopicIds ids{{"docs", "d"}, {"more", "m"}};
  require_replayable(&head_, target_, ids, ids);
  require_replayable(nullptr, target_, ids, ids);
  require_replayable(&head_, target_, {}, ids);
}

TEST_F(Replay, OfATopicThatWasMadeAgainIsRefused) {
  expect_refused({{"docs", "d"}, {"more", "m"}}, {{"docs", "new"}, {"more", "m"}});
  expect_refused({}, {{"docs", "new"}, {"more", "m"}});
  expect_refused({{"docs", "new"}, {"more", "m"}}, {{"docs", "new"}, {"more", "m"}});
  EXPECT_THROW(require_replayable(nullptr, target_, {{"docs", "d"}}, {{"docs", "new"}}), Failure);
}

TEST_F(Replay, ThatDoesNotReadSuchATopicIsRight) {
  require_replayable(&head_, target_, {{"docs", "d"}, {"more", "m"}},
                     {{"docs", "d"}, {"more", "new"}});
}

TEST(SameTopic, IsRequiredWhereBothIdsAreKnown) {
  require_same_topic("docs", {{"docs", "d"}}, {{"docs", "d"}});
  require_same_topic("docs", {{"docs", "d"}}, {});
  require_same_topic("docs", {}, {{"docs", "new"}});
  require_same_topic("docs", {{"docs", "d"}, {"more", "m"}}, {{"docs", "d"}, {"more", "new"}});
  EXPECT_THROW(require_same_topic("docs", {{"docs", "d"}}, {{"docs", "new"}}), Failure);
}

}  // namespace
}  // namespace neardup::TEST_FILE
