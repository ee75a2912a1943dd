#include "service/kafka/message/dead_letter.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::Not;

const TopicPartition kFrom{"docs", 3};

OutgoingMessage letter_of(std::optional<Seq> seq) {
  RawRecord record;
  record.bytes = "{not json";
  record.key = "k";
  return make_dead_letter({.reason = "invalid_json",
                           .detail = "a detail",
                           .from = kFrom,
                           .offset = 41,
                           .seq = seq,
                           .with_value = true,
                           .limit = 1 << 20},
                          record);
}

TEST(DeadLetter, HasASeqOnlyWhereOneIsKnown) {
  const auto is_seq = Field(&MessageHeader::name, "neardup-seq");
  EXPECT_THAT(letter_of(7).headers, Contains(MessageHeader{"neardup-seq", "7"}));
  EXPECT_THAT(letter_of({}).headers, Not(Contains(is_seq)));
}

TEST(DeadLetter, NamesItsMessageEitherWay) {
  for (const std::optional<Seq> seq : {std::optional<Seq>(7), std::optional<Seq>()}) {
    const OutgoingMessage letter = letter_of(seq);
    EXPECT_EQ(letter.destination, Destination::kDeadLetter);
    EXPECT_EQ(letter.key, "k");
    EXPECT_EQ(letter.value, "{not json");
    EXPECT_EQ(dead_letter_reason(letter), "invalid_json");
    EXPECT_THAT(letter.headers, Contains(MessageHeader{"neardup-topic", "docs"}));
    EXPECT_THAT(letter.headers, Contains(MessageHeader{"neardup-partition", "3"}));
    EXPECT_THAT(letter.headers, Contains(MessageHeader{"neardup-offset", "41"}));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
