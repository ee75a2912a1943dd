#include <gtest/gtest.h>

#include "service/kafka/start/delivered_order.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::string_view kFlag =
    R"({"id":"a","seq":17,"status":"unique","threshold":0.8,"rule":"5f0c000000000000",)"
    R"("source":{"topic":"docs","partition":3,"offset":41}})";

TEST(FlagPlaceReader, SaysWhereAFlagsRecordIs) {
  FlagPlaceReader reader;
  for (int times = 0; times < 2; ++times) {
    const auto place = reader.read(kFlag);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->seq, 17);
    EXPECT_EQ(place->rule, "5f0c000000000000");
    EXPECT_EQ(place->source, (Position{{"docs", 3}, 41}));
  }
}

TEST(FlagPlaceReader, AnythingElseIsNoFlag) {
  FlagPlaceReader reader;
  EXPECT_FALSE(reader.read(""));
  EXPECT_FALSE(reader.read("no JSON"));
  EXPECT_FALSE(reader.read(kFlag.substr(0, kFlag.size() - 1)));
  EXPECT_FALSE(reader.read(R"({"id":"a","seq":17,"rule":"5f","source":{"file":"a","line":1}})"));
  EXPECT_FALSE(reader.read(
      R"({"seq":"17","rule":"5f","source":{"topic":"docs","partition":3,"offset":41}})"));
  EXPECT_FALSE(
      reader.read(R"({"seq":17,"rule":5,"source":{"topic":"docs","partition":3,"offset":41}})"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
