#include "service/kafka/store/recovery_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "pipeline/base/failure.h"

namespace neardup::TEST_FILE {
namespace {

using Kind = RecoveryPlan::Kind;
using testing::AllOf;
using testing::HasSubstr;

const TopicPartition kFirst{"docs", 0};
const TopicPartition kSecond{"docs", 1};

// Each batch has ten records, all of the first partition.
CommitMetadata mark(std::uint64_t batch) {
  return {"state", batch, std::string(31, '0') + static_cast<char>('0' + batch), batch * 10 + 1};
}

Positions positions(std::uint64_t batch) {
  return {{kFirst, static_cast<std::int64_t>(batch) * 10}, {kSecond, 0}};
}

class Recovering : public testing::Test {
 protected:
  void state_at(std::uint64_t batch) { head_ = StateHead{mark(batch), positions(batch)}; }

  void store(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t number = first; number <= last; ++number) {
      StoredBatch& batch = outbox_[number];
      if (number > 0) batch.before = mark(number - 1);
      if (number > 0) batch.from = positions(number - 1);
      batch.after = mark(number);
      batch.to = positions(number);
    }
  }

  void commit(const Positions& at, const std::string& metadata) {
    committed_.clear();
    for (const Position& position : at) {
      committed_.push_back({position.partition, position.offset, metadata});
    }
  }
  void commit(std::uint64_t batch) { commit(positions(batch), encode_mark(mark(batch))); }

  RecoveryPlan plan(bool trust_state = false) const {
    return plan_recovery(
        head_, committed_,
        [this](std::uint64_t batch) -> std::optional<StoredBatch> {
          const auto found = outbox_.find(batch);
          return found == outbox_.end() ? std::nullopt : std::optional(found->second);
        },
        trust_state);
  }

  // Why it is refused.
  std::string refusal(bool trust_state = false) const {
    try {
      plan(trust_state);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnavailable);
      EXPECT_THAT(failure.what(), HasSubstr("committed in Kafka:"));
      return failure.what();
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  std::optional<StateHead> head_;
  std::vector<CommittedOffset> committed_{{kFirst, {}, ""}, {kSecond, {}, ""}};
  std::map<std::uint64_t, StoredBatch> outbox_;
};

TEST_F(Recovering, WithNothingOnEitherSideANewStateBegins) { EXPECT_EQ(plan().kind, Kind::kBegin); }

TEST_F(Recovering, AtTheSameBatchBothAreInStep) {
  state_at(5);
  commit(5);
  EXPECT_EQ(plan().kind, Kind::kInStep);
}

TEST_F(Recovering, APartitionThatIsNewToTheStateHasNoOffsetYet) {
  state_at(5);
  commit(5);
  committed_.push_back({{"docs", 2}, {}, ""});
  EXPECT_EQ(plan().kind, Kind::kInStep);
}

TEST_F(Recovering, TheFirstBatchIsSentWhereNothingWasCommittedYet) {
  state_at(0);
  store(0, 0);
  const RecoveryPlan found = plan();
  EXPECT_EQ(found.kind, Kind::kResend);
  EXPECT_EQ(found.from, 0);
}

TEST_F(Recovering, StoredBatchesBehindTheCommittedOneAreSent) {
  state_at(7);
  store(4, 7);
  commit(5);
  const RecoveryPlan found = plan();
  EXPECT_EQ(found.kind, Kind::kResend);
  EXPECT_EQ(found.from, 6);
}

TEST_F(Recovering, AnEmptyStateWithCommittedOffsetsIsALostOneThatIsRebuilt) {
  commit(5);
  for (const bool trust_state : {false, true}) {
    const RecoveryPlan found = plan(trust_state);
    EXPECT_EQ(found.kind, Kind::kRebuild);
    ASSERT_TRUE(found.target);
    EXPECT_EQ(found.target->mark, mark(5));
    EXPECT_EQ(found.target->positions, positions(5));
  }
}

TEST_F(Recovering, ALostStateIsNotRebuiltUpToOffsetsOfOthers) {
  commit(5);
  committed_[1].metadata = "";
  EXPECT_THAT(refusal(), HasSubstr("the state is empty"));
  EXPECT_THAT(refusal(true), HasSubstr("the state is empty"));
}

TEST_F(Recovering, AStateThatIsBeingRebuiltIsNeverTrusted) {
  head_ = StateHead{mark(0), {{kFirst, kUnknownOffset}, {kSecond, 7}}};
  EXPECT_THAT(refusal(true), HasSubstr("was being rebuilt"));
}

TEST_F(Recovering, OffsetsThatAreGoneAreToldAndRepairedWhenTheStateIsTrusted) {
  state_at(5);
  EXPECT_THAT(refusal(), HasSubstr("are gone"));
  EXPECT_EQ(plan(true).kind, Kind::kRepair);
  store(4, 5);
  EXPECT_EQ(plan(true).kind, Kind::kResend);
  EXPECT_EQ(plan(true).from, 4);
}

TEST_F(Recovering, MarksOfOthersAreToldAndRepairedWhenTheStateIsTrusted) {
  state_at(5);
  commit(positions(5), "");
  EXPECT_THAT(refusal(), HasSubstr("another program"));
  EXPECT_THAT(refusal(), HasSubstr("docs[0]: offset 50"));
  EXPECT_EQ(plan(true).kind, Kind::kRepair);
}

TEST_F(Recovering, MarksThatDifferAmongPartitionsAreToldAndRepairedWhenTheStateIsTrusted) {
  state_at(5);
  commit(5);
  committed_[1].metadata = encode_mark(mark(4));
  EXPECT_THAT(refusal(), HasSubstr("not all written by this service at the same batch"));
  EXPECT_EQ(plan(true).kind, Kind::kRepair);
}

TEST_F(Recovering, OffsetsOfAnotherStateAreRefused) {
  state_at(5);
  CommitMetadata other = mark(5);
  other.state = "another";
  commit(positions(5), encode_mark(other));
  EXPECT_THAT(refusal(), HasSubstr("belong to another state"));
  EXPECT_THAT(refusal(true), HasSubstr("belong to another state"));
}

TEST_F(Recovering, ADifferentChainAtTheSameBatchIsAnotherHistory) {
  state_at(5);
  CommitMetadata other = mark(5);
  other.chain = mark(6).chain;
  commit(positions(5), encode_mark(other));
  EXPECT_THAT(refusal(), HasSubstr("not of the same history"));
}

TEST_F(Recovering, OtherOffsetsAtTheSameBatchAreToldAndRepairedWhenTheStateIsTrusted) {
  state_at(5);
  store(5, 5);
  Positions other = positions(5);
  ++other[1].offset;
  commit(other, encode_mark(mark(5)));
  EXPECT_THAT(refusal(), HasSubstr("were changed after"));
  EXPECT_EQ(plan(true).kind, Kind::kRepair) << "batch 5 is delivered, its mark says";
  commit(5);
  committed_[1].offset.reset();
  EXPECT_THAT(refusal(), HasSubstr("some committed offsets are gone"));
  EXPECT_EQ(plan(true).kind, Kind::kRepair);
}

TEST_F(Recovering, AStoredBatchThatDoesNotFollowFromTheCommittedOneIsAnotherHistory) {
  state_at(7);
  store(4, 7);
  commit(5);
  outbox_[6].before->chain = mark(7).chain;
  EXPECT_THAT(refusal(), HasSubstr("not of the same history"));
}

TEST_F(Recovering, AStoredBatchThatBeginsElsewhereIsSentOnlyWhenTheStateIsTrusted) {
  state_at(7);
  store(4, 7);
  commit(5);
  ++outbox_[6].from[0].offset;
  EXPECT_THAT(refusal(), HasSubstr("were changed after"));
  EXPECT_EQ(plan(true).kind, Kind::kResend);
  EXPECT_EQ(plan(true).from, 6);
}

TEST_F(Recovering, OffsetsThatWereSetBackAreToldAndRepairedWhenTheStateIsTrusted) {
  state_at(7);
  store(6, 7);
  commit(4);
  EXPECT_THAT(refusal(), HasSubstr("batch 5 is not delivered and no longer stored"));
  EXPECT_EQ(plan(true).kind, Kind::kResend);
  EXPECT_EQ(plan(true).from, 6);
  outbox_.clear();
  EXPECT_EQ(plan(true).kind, Kind::kRepair);
}

TEST_F(Recovering, AnOlderStateOfOnePartitionIsReplayedUpToWhatIsCommitted) {
  head_ = StateHead{mark(3), {{kFirst, 30}}};
  commit({{kFirst, 80}}, encode_mark(mark(8)));
  const RecoveryPlan found = plan();
  EXPECT_EQ(found.kind, Kind::kReplay);
  ASSERT_TRUE(found.target);
  EXPECT_EQ(found.target->mark, mark(8));
  EXPECT_EQ(found.target->positions, (Positions{{kFirst, 80}}));
}

TEST_F(Recovering, AnOlderStateWhoseReadingIsAheadIsAnotherHistory) {
  head_ = StateHead{mark(3), {{kFirst, 90}}};
  commit({{kFirst, 80}}, encode_mark(mark(8)));
  EXPECT_THAT(refusal(), HasSubstr("not of the same history"));
}

TEST_F(Recovering, AnOlderStateOfSeveralPartitionsIsReplayedToo) {
  state_at(3);
  commit(8);
  committed_.push_back({{"docs", 2}, 4, encode_mark(mark(8))});
  committed_.push_back({{"docs", 3}, {}, ""});
  const RecoveryPlan found = plan();
  EXPECT_EQ(found.kind, Kind::kReplay);
  ASSERT_TRUE(found.target);
  Positions wanted = positions(8);
  wanted.push_back({{"docs", 2}, 4});
  EXPECT_EQ(found.target->positions, wanted) << "the new partition too, once it was read";
}

TEST_F(Recovering, AnOlderStateIsNotReplayedWhereAnOffsetIsGone) {
  state_at(3);
  commit(8);
  committed_[1].offset.reset();
  EXPECT_THAT(refusal(), HasSubstr("the offset of docs[1] is gone"));
}

TEST(OrderFrom, OnePartitionHasOneOrderAndOthersAreReadBack) {
  const StateHead older{mark(3), positions(3)};
  const StateHead one{mark(3), {{kFirst, 30}}};
  const StateHead target{mark(8), positions(8)};
  const StateHead target_one{mark(8), {{kFirst, 80}}};
  for (const OutputMode mode : {OutputMode::kFlags, OutputMode::kAnnotate, OutputMode::kFilter}) {
    EXPECT_EQ(order_from(one, target_one, mode, false), OrderFrom::kInput);
    EXPECT_EQ(order_from(one, target_one, mode, true), OrderFrom::kInput);
    EXPECT_EQ(order_from(older, target, mode, true), OrderFrom::kOrderTopic);
    EXPECT_EQ(order_from({}, target_one, mode, true), OrderFrom::kOrderTopic);
  }
  EXPECT_EQ(order_from(older, target, OutputMode::kFlags, false), OrderFrom::kOutput);
  EXPECT_EQ(order_from({}, target_one, OutputMode::kFlags, false), OrderFrom::kOutput);
  EXPECT_EQ(order_from({}, target_one, OutputMode::kFilter, false), OrderFrom::kInput);
}

TEST(OrderFrom, AStateThatIsBeingRebuiltIsALostOne) {
  const StateHead begun{mark(0), {{kFirst, kUnknownOffset}}};
  const StateHead target{mark(8), {{kFirst, 80}}};
  EXPECT_EQ(order_from(begun, target, OutputMode::kFlags, false), OrderFrom::kOutput);
}

TEST(OrderFrom, WhereNothingTellsTheOrderItIsRefusedWithBothNumbers) {
  const StateHead target{mark(8), positions(8)};
  const auto refusal = [&](const std::optional<StateHead>& head, OutputMode mode) -> std::string {
    try {
      order_from(head, target, mode, false);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnavailable);
      return failure.what();
    }
    return "not refused";
  };
  EXPECT_THAT(refusal(StateHead{mark(3), positions(3)}, OutputMode::kAnnotate),
              AllOf(HasSubstr("the state is at seq 30"), HasSubstr("80 records of 2 partitions"),
                    HasSubstr("kafka.order_topic is not set")));
  EXPECT_THAT(refusal({}, OutputMode::kFilter), HasSubstr("the state is empty"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
