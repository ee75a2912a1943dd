#include "service/kafka/deliver/kafka_delivery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>

#include "pipeline/base/failure.h"
#include "service/kafka/store/state_head.h"
#include "storage/memory_store.h"
#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TopicPartition kPartition{"docs", 0};

Positions at(std::int64_t offset) { return {{kPartition, offset}}; }

// A state, a delivery into it, and what its thread was given. The record at offset n has seq n + 1.
class Delivering : public testing::Test {
 protected:
  void begin(std::optional<StateHead> replay = {}, std::vector<std::uint64_t> stored = {},
             OutputMode mode = OutputMode::kFlags) {
    thread_ = std::make_unique<DeliveryThread>(
        2, head_.mark.batch, [this](const DecidedBatch& batch) { record(batch); }, [] {});
    delivery_ = std::make_unique<KafkaDelivery>(
        DeliveryStart{head_, std::move(replay), check_, std::move(stored)},
        KafkaDeliveryOptions{rule_, mode, idle_commit_}, *thread_, watch_, log_);
  }

  void record(const DecidedBatch& batch) {
    if (block_.valid()) block_.wait();
    sent_.push_back(batch.stored.after.batch);
    held_.push_back(batch.held.size());
  }

  // Records up to offset `end`, the odd ones rejected, as one batch in chunks of three; returns
  // what is stored.
  WriteSet decide(std::int64_t end) {
    while (next_ < end) {
      std::vector<Flag> flags;
      RawChunk chunk;
      for (; next_ < end && flags.size() < 3; ++next_) {
        flags.push_back(test_flag(static_cast<Seq>(next_) + 1,
                                  next_ % 2 == 0 ? Status::kUnique : Status::kRejected));
        flags.back().source = {.input = 0, .place = static_cast<std::uint64_t>(next_)};
        RawRecord& record = chunk.records.emplace_back();
        record.source = flags.back().source;
        if (traced_.contains(next_)) record.headers = trace_;
      }
      delivery_->add(chunk, flags);
    }
    WriteSet writes;
    writes.meta.emplace_back(kMetaPositions, encode_positions(at(end)));
    delivery_->before_commit(writes);
    store_->commit(writes);
    delivery_->after_commit();
    return writes;
  }

  StateHead stored_head() { return read_head(*store_).value(); }

  StateHead head_{{"state", 4, std::string(32, '0'), 1}, at(0)};
  const RuleStamp rule_{"0123456789abcdef", 800'000};
  std::chrono::milliseconds idle_commit_ = std::chrono::hours(1);
  std::unique_ptr<Store> store_ =
      open_memory_store({.store = StoreName::kMemory, .path = {}}, OpenMode::kReadWrite);
  ReplayCheck* check_ = nullptr;
  StageWatch watch_{std::chrono::seconds(60), [](auto, auto) {}};
  std::string lines_;
  Log log_{{.level = LogLevel::kDebug},
           [this](std::string_view line) { lines_ += line; },
           std::chrono::system_clock::now};
  const std::vector<RawHeader> trace_ = {
      {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}};
  std::set<std::int64_t> traced_;  // offsets whose records have that header
  std::shared_future<void> block_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::size_t> held_;
  std::unique_ptr<DeliveryThread> thread_;
  std::unique_ptr<KafkaDelivery> delivery_;
  std::int64_t next_ = 0;
};

TEST_F(Delivering, ABatchIsNumberedAndStoredWithThePositionsBehindIt) {
  begin();
  decide(7);
  const StateHead head = stored_head();
  EXPECT_EQ(head.mark.batch, 5);
  EXPECT_EQ(head.mark.next_seq, 8);
  EXPECT_EQ(head.positions, at(7));
  const auto batch = read_outbox(*store_, 5);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->before, head_.mark);
  EXPECT_EQ(batch->after, head.mark);
  EXPECT_EQ(batch->from, at(0));
  EXPECT_EQ(batch->to, at(7));
  EXPECT_EQ(batch->rule, rule_);
  EXPECT_EQ(batch->flags.size(), 7);
  thread_->drain();
  EXPECT_THAT(sent_, ElementsAre(5));
}

TEST_F(Delivering, TheChainDoesNotDependOnWhereBatchesEnd) {
  begin();
  decide(10);
  const CommitMetadata whole = stored_head().mark;
  next_ = 0;
  begin();
  for (const std::int64_t end : {1, 5, 9, 10}) decide(end);
  EXPECT_EQ(stored_head().mark.chain, whole.chain);
  EXPECT_EQ(stored_head().mark.next_seq, whole.next_seq);
  EXPECT_EQ(stored_head().mark.batch, 8);
}

TEST_F(Delivering, WhatIsDeliveredLeavesTheOutbox) {
  begin({}, {3, 4});
  EXPECT_THAT(decide(1).erase_outbox, ElementsAre(3, 4));
  thread_->drain();
  EXPECT_THAT(decide(2).erase_outbox, ElementsAre(5));
  EXPECT_TRUE(store_->outbox(6));
  EXPECT_FALSE(store_->outbox(5));
}

TEST_F(Delivering, WhatIsNotDeliveredStaysInTheOutbox) {
  std::promise<void> let;
  block_ = let.get_future().share();
  begin();
  decide(1);
  EXPECT_THAT(decide(2).erase_outbox, IsEmpty());
  EXPECT_TRUE(store_->outbox(5) && store_->outbox(6));
  let.set_value();
  thread_->drain();
}

TEST_F(Delivering, AnEmptyBatchWithoutNewsIsNotSent) {
  begin();
  decide(0);
  EXPECT_EQ(stored_head().mark, head_.mark);
  decide(1);
  thread_->drain();
  EXPECT_THAT(sent_, ElementsAre(5));
}

TEST_F(Delivering, AnEmptyBatchWhosePositionsMovedIsSent) {
  begin();
  next_ = 3;  // offsets without records
  decide(3);
  thread_->drain();
  EXPECT_THAT(sent_, ElementsAre(5));
  EXPECT_EQ(stored_head().positions, at(3));
  EXPECT_EQ(stored_head().mark.next_seq, 1);
}

TEST_F(Delivering, AnEmptyBatchIsSentBeforeTheBrokersForgetThePositions) {
  idle_commit_ = std::chrono::milliseconds(0);
  begin();
  decide(0);
  thread_->drain();
  EXPECT_THAT(sent_, ElementsAre(5));
}

TEST_F(Delivering, MessagesAreHeldWhereTheAnswerIsMadeOfThem) {
  begin();
  decide(4);
  thread_->drain();
  begin({}, {}, OutputMode::kAnnotate);
  decide(8);
  thread_->drain();
  EXPECT_THAT(held_, ElementsAre(2, 4));
}

TEST_F(Delivering, TracesAreStoredWhereMessagesBelongToOne) {
  traced_ = {2, 3, 5};
  begin();
  decide(7);
  const auto batch = read_outbox(*store_, 5);  // it may leave with the next one
  decide(9);
  ASSERT_EQ(batch->traces.size(), 7);
  for (std::size_t i = 0; i < 7; ++i) {
    ASSERT_EQ(batch->trace_of(i) != nullptr, traced_.contains(static_cast<std::int64_t>(i))) << i;
  }
  EXPECT_EQ(batch->trace_of(5)->traceparent, trace_[0].value);
  EXPECT_TRUE(read_outbox(*store_, 6)->traces.empty());
  thread_->drain();
}

TEST_F(Delivering, ABatchIsToldBeforeItIsStored) {
  begin();
  decide(7);
  thread_->drain();
  EXPECT_THAT(lines_, HasSubstr(R"("event":"batch decided","flags":7,"batch":5,"first_seq":1,)"
                                R"("next_seq":8,"trace_id":")"));
}

// What a newer copy of the state has delivered.
StateHead delivered(std::uint64_t batch, const StateHead& head) {
  StateHead target = head;
  target.mark.batch = batch;
  return target;
}

class Replaying : public Delivering {
 protected:
  // The target at offset `end`, decided in one go.
  StateHead target(std::int64_t end) {
    begin();
    decide(end);
    thread_->drain();
    sent_.clear();
    next_ = 0;
    return delivered(9, stored_head());
  }
};

TEST_F(Replaying, SendsNothingUpToTheTargetAndThenGoesOnFromItsNumber) {
  begin(target(10));
  decide(4);
  EXPECT_EQ(stored_head().mark.batch, 4);
  decide(10);
  EXPECT_EQ(stored_head().mark.batch, 9);
  decide(12);
  thread_->drain();
  EXPECT_THAT(sent_, ElementsAre(10));
  EXPECT_EQ(read_outbox(*store_, 10)->before->batch, 9);
}

TEST_F(Replaying, GoesOnFromWhereItWasCutOff) {
  const StateHead goal = target(10);
  begin(goal);
  decide(4);
  head_ = stored_head();
  begin(goal);
  decide(10);
  EXPECT_EQ(stored_head().mark, goal.mark);
}

TEST_F(Replaying, RefusesOtherFlagsThanThoseThatWereDelivered) {
  StateHead goal = target(10);
  goal.mark.chain[0] = goal.mark.chain[0] == '0' ? '1' : '0';
  begin(goal);
  decide(4);
  try {
    decide(10);
    ADD_FAILURE() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUnavailable);
    EXPECT_THAT(failure.what(), HasSubstr("does not lead to the flags that were delivered"));
  }
  EXPECT_EQ(stored_head().positions, at(4));
}

TEST_F(Replaying, RefusesAnotherNumberOfFlags) {
  StateHead goal = target(10);
  ++goal.mark.next_seq;
  begin(goal);
  EXPECT_THROW(decide(10), Failure);
}

// A decider that follows another one.
class Following : public Delivering {
 protected:
  // The mark that another decider commits with the first `end` records, as its batch `number`.
  StateHead mark_at(std::int64_t end, std::uint64_t number) {
    begin();
    next_ = 0;
    decide(end);
    StateHead head = stored_head();
    head.mark.batch = number;
    store_ = open_memory_store({.store = StoreName::kMemory, .path = {}}, OpenMode::kReadWrite);
    next_ = 0;
    return head;
  }

  void follow(std::vector<std::uint64_t> stored = {}) {
    begin({}, std::move(stored));
    delivery_->follow(marks_);
    sent_.clear();
  }

  DeliveredMarks marks_;
};

TEST_F(Following, StoresAndDoesNotSend) {
  follow();
  const WriteSet writes = decide(5);
  EXPECT_THAT(writes.outbox, IsEmpty());
  EXPECT_EQ(stored_head().positions, at(5));
  EXPECT_EQ(stored_head().mark.next_seq, 6);
  EXPECT_EQ(stored_head().mark.batch, head_.mark.batch);
  thread_->drain();
  EXPECT_THAT(sent_, IsEmpty());
}

TEST_F(Following, TakesTheMarkOverWhereBothEnd) {
  const StateHead other = mark_at(9, 40);
  marks_.expect(mark_at(4, 39));
  marks_.expect(other);
  follow({3, 4});
  EXPECT_THAT(decide(5).erase_outbox, IsEmpty());  // the mark at 4 has been passed
  EXPECT_EQ(stored_head().mark.batch, head_.mark.batch);
  EXPECT_THAT(decide(9).erase_outbox, ElementsAre(3, 4));
  EXPECT_EQ(stored_head().mark, other.mark);
}

TEST_F(Following, EndsWhereTheFlagsDiffer) {
  StateHead other = mark_at(9, 40);
  other.mark.chain[0] = other.mark.chain[0] == '0' ? '1' : '0';
  marks_.expect(other);
  follow();
  EXPECT_THROW(decide(9), Failure);
}

TEST_F(Delivering, ABatchGetsWhatItsClusterAdds) {
  begin();
  delivery_->complete_by([](const WriteSet&, StoredBatch& batch) {
    EXPECT_EQ(batch.after.batch, 5);
    batch.sources = {{{"docs", 7}, 3}};
    batch.decided = "decided";
  });
  decide(2);
  EXPECT_EQ(read_outbox(*store_, 5)->decided, "decided");
  EXPECT_EQ(read_outbox(*store_, 5)->inputs(), (Positions{{{"docs", 7}, 3}}));
}

TEST_F(Delivering, AFailedDeliveryEndsTheNextBatch) {
  std::promise<void> failed;
  thread_ = std::make_unique<DeliveryThread>(
      2, 4, [](const DecidedBatch&) { throw Failure(Exit::kUnavailable, "fenced"); },
      [&failed] { failed.set_value(); });
  delivery_ = std::make_unique<KafkaDelivery>(
      DeliveryStart{head_, std::nullopt, check_},
      KafkaDeliveryOptions{rule_, OutputMode::kFlags, idle_commit_}, *thread_, watch_, log_);
  decide(1);
  failed.get_future().wait();
  EXPECT_THROW(decide(2), Failure);
  EXPECT_EQ(stored_head().positions, at(1));
}

}  // namespace
}  // namespace neardup::TEST_FILE
