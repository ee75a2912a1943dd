#include "service/kafka/store/delivered.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/base/failure.h"
#include "service/kafka/message/message_writer.h"
#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Checking : public testing::Test {
 protected:
  Checking() {
    flag_ = test_flag(7, Status::kUnique);
    flag_.source = {.input = 0, .place = 41};
  }

  DeliveredRecord delivered() const {
    const TopicPartition docs{"docs", 3};
    std::string json;
    FlagWriter(rule_.fingerprint, rule_.threshold,
               message_sources([&](std::uint32_t) -> const TopicPartition& { return docs; }))
        .append(flag_, json);
    json.pop_back();
    return {.seq = 7, .source = {docs, 41}, .flag = json, .chain = {}, .places = {}};
  }

  std::string refusal(DeliveredRecord record) {
    check_.expect({std::move(record)});
    try {
      check_.compare(flag_, chain_);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnavailable);
      return failure.what();
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  const RuleStamp rule_{"0123456789abcdef", 800'000};
  ReplayCheck check_{rule_};
  Flag flag_;
  Chain chain_;
};

TEST_F(Checking, TheSameFlagPasses) {
  check_.expect({delivered()});
  check_.compare(flag_, chain_);
}

TEST_F(Checking, UrlsAreNotCompared) {
  const DeliveredRecord without = delivered();
  flag_.url = R"(http://x/",\"seq":)";
  const DeliveredRecord with = delivered();
  EXPECT_NE(with.flag, without.flag);
  check_.expect({without, with});
  check_.compare(flag_, chain_);
  flag_.url = "http://y/";
  check_.compare(flag_, chain_);
  flag_.url.clear();
  check_.expect({with});
  check_.compare(flag_, chain_);
  flag_.status = Status::kEmpty;
  refusal(with);
}

TEST_F(Checking, LengthsOfTextsAreNotCompared) {
  const DeliveredRecord without = delivered();
  flag_.text_bytes = 17;
  const DeliveredRecord with = delivered();
  flag_.url = "http://x/";
  const DeliveredRecord with_both = delivered();
  check_.expect({without, with, with_both});
  check_.compare(flag_, chain_);
  check_.compare(flag_, chain_);
  check_.compare(flag_, chain_);
  flag_.text_bytes = 0;
  check_.expect({with_both});
  check_.compare(flag_, chain_);
  flag_.status = Status::kEmpty;
  refusal(with);
}

TEST_F(Checking, AnotherFlagIsShownBesideTheDeliveredOne) {
  DeliveredRecord record = delivered();
  const std::size_t at = record.flag.find("\"unique\"");
  record.flag.replace(at, 8, "\"empty\"");
  EXPECT_THAT(
      refusal(record),
      AllOf(HasSubstr("does not lead to the flags that were delivered: at seq 7 (offset 41 "
                      "of docs[3])"),
            HasSubstr("delivered: " + record.flag), HasSubstr("decided:   " + delivered().flag)));
}

TEST_F(Checking, TheChainIsComparedWhereItIsKnown) {
  DeliveredRecord record{
      .seq = 7, .source = {{"docs", 3}, 41}, .flag = {}, .chain = {}, .places = {}};
  record.chain = chain_.digits();
  check_.expect({record});
  check_.compare(flag_, chain_);
  record.chain = std::string(32, 'f');
  EXPECT_THAT(refusal(record), AllOf(HasSubstr("at seq 7"), HasSubstr(std::string(32, 'f')),
                                     HasSubstr(chain_.digits())));
}

}  // namespace
}  // namespace neardup::TEST_FILE
