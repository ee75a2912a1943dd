// GET /v1/flags, in pages and live.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/api/routes.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Flags : public ::testing::Test {
 protected:
  // Those that 3 divides are rejected, the others are unique.
  void publish(Seq first, Seq last) {
    FlagBlockWriter writer;
    for (Seq seq = first; seq <= last; ++seq) {
      Flag flag;
      flag.seq = seq;
      flag.status = seq % 3 == 0 ? Status::kRejected : Status::kUnique;
      writer.add(flag, std::to_string(seq) + "\n");
    }
    flags_.publish(writer.take());
  }
  HttpAnswer ask(std::map<std::string, std::string, std::less<>> values) {
    return flags_route(flags_).answer({.values = std::move(values)});
  }
  HttpAnswer watch(std::map<std::string, std::string, std::less<>> values,
                   std::string last_event = "") {
    return flags_route(flags_).answer({.accept = "text/event-stream",
                                       .last_event = std::move(last_event),
                                       .values = std::move(values)});
  }
  static std::string next(const HttpAnswer& answer) {
    return answer.feed->next([] {});
  }

  RecentFlags flags_{3000};
};

TEST_F(Flags, ThereAreNoneYet) {
  EXPECT_EQ(ask({}).body, "{\"flags\":[],\"next\":0}\n");
  EXPECT_EQ(ask({{"after", "5"}}).body, "{\"flags\":[],\"next\":5}\n");
}

TEST_F(Flags, TheLatestOrThoseBehindASeq) {
  publish(1, 4);
  publish(5, 6);
  EXPECT_EQ(ask({}).body, "{\"flags\":[1,2,3,4,5,6],\"next\":6,\"oldest\":1}\n");
  EXPECT_EQ(ask({{"limit", "2"}}).body, "{\"flags\":[5,6],\"next\":6,\"oldest\":1}\n");
  EXPECT_EQ(ask({{"after", "1"}, {"limit", "2"}}).body,
            "{\"flags\":[2,3],\"next\":3,\"oldest\":1}\n");
  EXPECT_EQ(ask({{"after", "6"}}).body, "{\"flags\":[],\"next\":6,\"oldest\":1}\n");
}

TEST_F(Flags, OfSomeStatuses) {
  publish(1, 7);
  EXPECT_EQ(ask({{"only", "rejected"}}).body, "{\"flags\":[3,6],\"next\":7,\"oldest\":1}\n");
  EXPECT_EQ(ask({{"only", "rejected"}, {"limit", "1"}}).body,
            "{\"flags\":[6],\"next\":7,\"oldest\":1}\n");
  EXPECT_EQ(ask({{"only", "rejected"}, {"after", "0"}, {"limit", "1"}}).body,
            "{\"flags\":[3],\"next\":3,\"oldest\":1}\n");
  const HttpAnswer wrong = ask({{"only", "unusual"}});
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("only: give statuses with commas, of rejected, "));
}

// As after a state was rebuilt.
TEST_F(Flags, ASeqThatNeverWasLeadsToTheNewest) {
  publish(1, 3);
  EXPECT_EQ(ask({{"after", "900"}}).body, "{\"flags\":[],\"next\":3,\"oldest\":1}\n");
  const HttpAnswer live = watch({{"after", "900"}});
  EXPECT_EQ(next(live), "");
  publish(4, 4);
  EXPECT_EQ(next(live), "id: 4\ndata: 4\n\n");
}

TEST_F(Flags, LiveThoseToCome) {
  publish(1, 2);
  const HttpAnswer live = watch({});
  EXPECT_EQ(live.type, "text/event-stream");
  EXPECT_EQ(live.body, "");
  EXPECT_EQ(next(live), "");
  publish(3, 4);
  EXPECT_EQ(next(live), "id: 3\ndata: 3\n\nid: 4\ndata: 4\n\n");
  EXPECT_EQ(next(live), "");
  EXPECT_EQ(live.feed->idle(), ":\n\n");
}

TEST_F(Flags, LiveFromTheFirstBatchOn) {
  const HttpAnswer live = watch({});
  EXPECT_EQ(next(live), "");
  publish(700, 701);
  EXPECT_EQ(next(live), "id: 700\ndata: 700\n\nid: 701\ndata: 701\n\n");
}

TEST_F(Flags, LiveBehind0AreFromTheOldestOneOnAndNoneIsMissed) {
  const HttpAnswer early = watch({{"after", "0"}});
  EXPECT_EQ(next(early), "");
  publish(700, 701);
  for (const HttpAnswer& live : {early, watch({{"after", "0"}})})
    EXPECT_EQ(next(live), "id: 700\ndata: 700\n\nid: 701\ndata: 701\n\n");
}

TEST_F(Flags, LiveBehindASeqOrWhereTheClientWas) {
  publish(1, 4);
  EXPECT_EQ(next(watch({{"after", "3"}})), "id: 4\ndata: 4\n\n");
  EXPECT_EQ(next(watch({{"after", "1"}}, "3")), "id: 4\ndata: 4\n\n");
  EXPECT_EQ(next(watch({{"after", "3"}}, "no seq")), "id: 4\ndata: 4\n\n");
}

TEST_F(Flags, LiveOfSomeStatusesTellsWhereToGoOn) {
  publish(1, 4);
  const HttpAnswer live = watch({{"after", "0"}, {"only", "rejected"}});
  EXPECT_EQ(next(live), "id: 3\ndata: 3\n\nid: 4\n\n");
  publish(5, 6);
  EXPECT_EQ(next(live), "id: 6\ndata: 6\n\n");
}

TEST_F(Flags, LiveTellsWhatItHasMissed) {
  publish(1, 2);
  const HttpAnswer live = watch({{"after", "1"}});
  for (Seq seq = 3; seq < 600; seq += 3) publish(seq, seq + 2);
  const Seq oldest = flags_.range()->oldest;
  ASSERT_GT(oldest, 300u);
  const std::string first = std::to_string(oldest);
  EXPECT_THAT(next(live), StartsWith("event: missed\ndata: {\"after\":1,\"next\":" + first +
                                     "}\n\nid: " + first + "\ndata: " + first + "\n\n"));
  EXPECT_THAT(ask({{"after", "1"}, {"limit", "1"}}).body,
              AllOf(HasSubstr("\"oldest\":" + first), HasSubstr("[" + first + "]")));
}

TEST_F(Flags, LiveInPiecesHoweverManyThereAre) {
  RecentFlags many(std::uint64_t{1} << 30);
  FlagBlockWriter writer;
  const std::string line(1000, 'x');
  for (Seq seq = 1; seq <= 1000; ++seq) {
    Flag flag;
    flag.seq = seq;
    writer.add(flag, line + "\n");
  }
  many.publish(writer.take());
  const auto live =
      flags_route(many).answer({.accept = "text/event-stream", .values = {{"after", "0"}}});
  std::size_t pieces = 0;
  std::size_t bytes = 0;
  for (std::string piece = next(live); !piece.empty(); piece = next(live)) {
    EXPECT_LT(piece.size(), 140'000u);
    bytes += piece.size();
    ++pieces;
  }
  EXPECT_GT(pieces, 7u);
  EXPECT_GT(bytes, 1'000'000u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
