#include "service/kafka/message/topic_ids.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

const TopicIds kIds{{"docs", "Yl1rVsrHQ4mWpX9v1s0m2A"}, {"more", "q2X8uN0sT1iD3hVb7cJ5eQ"}};

TEST(TopicIds, ComeBack) {
  EXPECT_EQ(encode_topic_ids(kIds), "docs Yl1rVsrHQ4mWpX9v1s0m2A\nmore q2X8uN0sT1iD3hVb7cJ5eQ\n");
  EXPECT_EQ(decode_topic_ids(encode_topic_ids(kIds)), kIds);
}

TEST(TopicIds, OfAStateOfBeforeAreNone) { EXPECT_EQ(decode_topic_ids(""), TopicIds()); }

TEST(TopicIds, AreNothingElse) {
  for (const char* text : {"docs", "docs\n", "docs a", "docs a\ndocs b\n", "more a\ndocs b\n"}) {
    EXPECT_EQ(decode_topic_ids(text), std::nullopt) << text;
  }
}

TEST(TopicIds, TellWhichTopicsWereMadeAgain) {
  EXPECT_EQ(made_again(kIds, kIds), TopicIds());
  EXPECT_EQ(made_again(kIds, {{"docs", "another"}, {"more", kIds.at("more")}}),
            (TopicIds{{"docs", "another"}}));
}

TEST(TopicIds, ThatAreNotKnownTellNothing) {
  EXPECT_EQ(made_again(kIds, {}), TopicIds());
  EXPECT_EQ(made_again({}, kIds), TopicIds());
}

}  // namespace
}  // namespace neardup::TEST_FILE
