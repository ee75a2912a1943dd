#include "service/kafka/produce/flag_waits.h"

#include <gmock/gmock.h>

#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

const RuleStamp kRule{"5f0c000000000001", 800'000};

class FlagWaitsTest : public testing::Test {
 protected:
  // A request of so many records, all written, that waits for their flags.
  std::shared_ptr<DocumentRequest> open(std::size_t records, seconds wait = seconds(10)) {
    RequestForm form;
    form.positions = true;
    form.wait = wait;
    auto request = requests_.open(form, 1000, budget_);
    for (std::size_t i = 0; i < records; ++i) request->record_taken();
    request->all_taken();
    request->wait([this](HttpAnswer given) { answer_ = std::move(given); });
    return request;
  }

  // The records of the request are at these offsets.
  void write(const std::shared_ptr<DocumentRequest>& request, std::vector<std::int64_t> offsets) {
    std::vector<AwaitedFlag> awaited;
    for (const std::int64_t offset : offsets) {
      if (const auto number = request->await_flag())
        awaited.push_back({{{"docs", 0}, offset}, request, *number});
    }
    request->written("positions\n", offsets.size());
    waits_.end(std::move(awaited));
  }

  void deliver(std::vector<std::uint64_t> offsets, Status status = Status::kUnique) {
    StoredBatch batch;
    batch.rule = kRule;
    batch.to = {{{"docs", 0}, 1000}};
    for (const std::uint64_t offset : offsets) {
      Flag flag;
      flag.id = "d" + std::to_string(offset);
      flag.status = status;
      flag.source = {0, offset};
      batch.flags.push_back(flag);
    }
    waits_.offer(batch);
  }

  ScratchDirectory scratch_;
  SpoolBudget budget_{{1 << 20, 1 << 30, scratch_.path()}};
  OpenRequests requests_;
  FlagWaits waits_{requests_};
  std::optional<HttpAnswer> answer_;
};

TEST_F(FlagWaitsTest, FlagsComeInTheOrderOfTheRequest) {
  waits_.begin();
  write(open(2), {7, 5});
  deliver({4, 5, 6});
  EXPECT_FALSE(answer_);
  deliver({7, 8});
  ASSERT_TRUE(answer_);
  EXPECT_EQ(answer_->status, 200);
  EXPECT_THAT(answer_->body, testing::StartsWith(R"({"id":"d7",)"));
  EXPECT_THAT(answer_->body, HasSubstr(R"("source":{"topic":"docs","partition":0,"offset":5}})"));
  EXPECT_EQ(requests_.size(), 0U);
}

TEST_F(FlagWaitsTest, FlagsMayComeBeforeTheirPlacesAreKnown) {
  const auto request = open(2);
  deliver({1});
  waits_.begin();
  deliver({1, 2});
  write(request, {1, 2});
  ASSERT_TRUE(answer_);
  EXPECT_EQ(answer_->status, 200);
}

TEST_F(FlagWaitsTest, WithoutFlagsInTimeThereArePositions) {
  waits_.begin();
  write(open(2), {1, 2});
  deliver({1});
  waits_.expire(steady_clock::now());
  EXPECT_FALSE(answer_);
  waits_.expire(steady_clock::now() + seconds(11));
  ASSERT_TRUE(answer_);
  EXPECT_EQ(answer_->status, 202);
  std::string text(answer_->rest->size(), '?');
  EXPECT_TRUE(answer_->rest->read(0, text));
  EXPECT_EQ(text, "positions\n");
  EXPECT_EQ(requests_.size(), 0U);
  deliver({2});
}

TEST_F(FlagWaitsTest, AServiceThatEndsWaitsNoLonger) {
  waits_.begin();
  write(open(1), {1});
  waits_.give_up();
  ASSERT_TRUE(answer_);
  EXPECT_EQ(answer_->status, 202);
}

TEST_F(FlagWaitsTest, ARequestOfManyRecordsDoesNotWait) {
  waits_.begin();
  std::vector<std::int64_t> offsets(1001);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(i);
  write(open(offsets.size()), offsets);
  ASSERT_TRUE(answer_);
  EXPECT_EQ(answer_->status, 202);
  deliver({0, 1});
}

}  // namespace
}  // namespace neardup::TEST_FILE
