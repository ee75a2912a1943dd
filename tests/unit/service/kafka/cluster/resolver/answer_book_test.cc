#include "service/kafka/cluster/resolver/answer_book.h"

#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "tests/unit/service/cluster/random_batch.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint32_t kWindow = 100;

class AnswerBookTest : public testing::Test {
 protected:
  std::string message(std::uint32_t shard, Seq first, std::size_t records, Seq as_of) const {
    Answer answer{.first = first, .as_of = as_of};
    answer.records.reset(records);
    return codec_.encode({shard, std::move(answer)});
  }

  AnswerUse take(std::uint32_t shard, Seq first, std::size_t records, Seq as_of) {
    return book_.take(static_cast<std::int32_t>(shard), 0, message(shard, first, records, as_of));
  }

  UndecidedChunk chunk(Seq first, std::size_t records) {
    UndecidedChunk chunk;
    chunk.first = first;
    chunk.batch = random_.make(records);
    return chunk;
  }

  Seq as_of(std::uint32_t shard, Seq first, std::size_t records) {
    const Answer* answer = book_.find(shard, chunk(first, records));
    return answer == nullptr ? 0 : answer->as_of;
  }

  const Rule rule_;
  RandomBatch random_{rule_, 1};
  const AnswerCodec codec_{rule_, kCluster};
  AnswerBook book_{rule_, kCluster, 11, kWindow};
};

TEST_F(AnswerBookTest, TheAnswerAsOfTheLatestDecisionIsKept) {
  EXPECT_EQ(take(2, 11, 5, 7), AnswerUse::kKept);
  EXPECT_EQ(take(2, 11, 5, 9), AnswerUse::kKept);
  EXPECT_EQ(take(2, 11, 5, 8), AnswerUse::kLate);
  EXPECT_EQ(take(3, 11, 5, 8), AnswerUse::kKept);
  EXPECT_EQ(as_of(2, 11, 5), 9);
  EXPECT_EQ(as_of(3, 11, 5), 8);
  EXPECT_EQ(as_of(4, 11, 5), 0);
  EXPECT_EQ(book_.size(), 2);
}

TEST_F(AnswerBookTest, AnAnswerAboutOtherRecordsThanThoseOfTheChunkIsNone) {
  take(2, 11, 5, 7);
  EXPECT_EQ(as_of(2, 11, 4), 0);
  EXPECT_EQ(as_of(2, 12, 4), 0);
}

TEST_F(AnswerBookTest, OnlyAnswersOfTheWindowAreKept) {
  EXPECT_EQ(take(0, 6, 5, 5), AnswerUse::kLate);
  EXPECT_EQ(take(0, 7, 5, 5), AnswerUse::kKept) << "its last record is not decided";
  EXPECT_EQ(take(0, 11 + kWindow, 5, 5), AnswerUse::kKept);
  EXPECT_EQ(take(0, 12 + kWindow, 5, 5), AnswerUse::kAhead);
  book_.drop_below(12);
  EXPECT_EQ(book_.size(), 1);
  EXPECT_EQ(take(0, 12 + kWindow, 5, 5), AnswerUse::kKept);
}

TEST_F(AnswerBookTest, AnAnswerAboutNoRecordLeavesTheOthers) {
  take(2, 12, 5, 7);
  const std::uint64_t revision = book_.revision();
  EXPECT_EQ(take(2, 12, 0, 11), AnswerUse::kIdle);
  EXPECT_EQ(take(2, 11, 0, 10), AnswerUse::kIdle);
  EXPECT_EQ(as_of(2, 12, 5), 7);
  EXPECT_EQ(book_.revision(), revision);
}

TEST_F(AnswerBookTest, WhatIsNoAnswerOfTheShardIsPassedOver) {
  const std::string one = message(3, 11, 5, 7);
  EXPECT_EQ(book_.take(2, 0, one), AnswerUse::kForeign) << "another partition";
  EXPECT_EQ(book_.take(3, 0, one.substr(1)), AnswerUse::kDamaged);
  EXPECT_EQ(book_.take(3, 0, ""), AnswerUse::kDamaged);
  const AnswerCodec other(rule_, "another cluster");
  EXPECT_EQ(book_.take(3, 0, other.encode({3, {.first = 11}})), AnswerUse::kForeign);
  EXPECT_EQ(book_.size(), 0);
}

// A shard that is ahead of the decisions has another history: a record may end what it does not
// tell any more.
TEST_F(AnswerBookTest, AnAnswerAsOfARecordThatIsNotDecidedIsPassedOver) {
  EXPECT_EQ(take(2, 11, 5, 10), AnswerUse::kKept);
  EXPECT_EQ(take(2, 11, 5, 11), AnswerUse::kForeign);
  EXPECT_EQ(take(2, 16, 5, kMaxSeq), AnswerUse::kForeign);
  EXPECT_EQ(as_of(2, 11, 5), 10);
  book_.drop_below(12);
  EXPECT_EQ(take(2, 11, 5, 11), AnswerUse::kKept);
}

TEST_F(AnswerBookTest, AnAnswerOfANewerFormatEndsTheResolver) {
  std::string newer = message(3, 11, 5, 7);
  newer[0] = 2;
  newer.resize(newer.size() - 8);
  seal_log_message(newer);
  EXPECT_THROW(book_.take(3, 0, newer), Failure);
}

TEST_F(AnswerBookTest, ARecordHasTheAnswersOfAllShardsThatAreRecentEnough) {
  ChunkAnswers answers(book_);
  const UndecidedChunk one = chunk(11, 5);
  const std::vector<std::uint32_t> shards{0, 3};
  take(0, 11, 5, 8);
  EXPECT_EQ(answers.find(one, 12, 8, shards).size(), 1);
  EXPECT_EQ(answers.missing(), std::vector<std::uint32_t>{3});
  take(3, 11, 5, 9);
  const auto& found = answers.find(one, 12, 8, shards);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].record, &found[0].answer->records[1]);
  EXPECT_TRUE(answers.missing().empty());
  answers.find(one, 13, 9, shards);
  EXPECT_EQ(answers.missing(), std::vector<std::uint32_t>{0}) << "the base has moved up";
}

}  // namespace
}  // namespace neardup::TEST_FILE
