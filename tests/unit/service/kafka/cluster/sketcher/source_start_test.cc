#include "service/kafka/cluster/sketcher/source_start.h"

#include <gtest/gtest.h>

#include "service/kafka/message/commit_metadata.h"

namespace neardup::TEST_FILE {
namespace {

const TopicPartition kSource{"docs", 3};

// The log is decided up to `offset`; `accepted`: the position of the source, if it has one.
Decided decided(std::int64_t offset, std::optional<std::int64_t> accepted = {}) {
  Decided made;
  made.offset = offset;
  made.log.positions.push_back({{"others", 3}, 1000});
  if (accepted) made.log.positions.push_back({kSource, *accepted});
  return made;
}

CommittedOffset committed(std::optional<std::int64_t> offset, std::string metadata = {}) {
  return {kSource, offset, std::move(metadata)};
}

TEST(LogMark, ComesBackAndIsNothingElse) {
  EXPECT_EQ(encode_log_mark({0}), "neardup-log/1 0");
  EXPECT_EQ(encode_log_mark({7, "log", "docs"}), "neardup-log/2 7 log docs");
  for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{41}, std::int64_t{1} << 60}) {
    EXPECT_EQ(decode_log_mark(encode_log_mark({offset})), LogMark{offset});
    const LogMark with_ids{offset, "log", "docs"};
    EXPECT_EQ(decode_log_mark(encode_log_mark(with_ids)), with_ids);
  }
  for (const char* other :
       {"", "neardup-log/1", "neardup-log/1 ", "neardup-log/1 -1", "neardup-log/1 01",
        "neardup-log/1 1 ", "neardup-log/2 1", "neardup-log/2 1 a", "neardup-log/2 1 a b c",
        "neardup-log/1 1 a b", "neardup-log/1 99999999999999999999", "neardup/1 x 1 y 1"}) {
    EXPECT_EQ(decode_log_mark(other), std::nullopt) << other;
  }
}

TEST(SourceStart, ANewSourceIsReadAsAskedAndItsFirstChunkBeginsAt0) {
  EXPECT_EQ(source_start(committed({}), decided(9)),
            (SourceStart{.range = 0, .read = SourceStart::Read::kAsAsked}));
}

TEST(SourceStart, APartitionThatIsAddedLaterIsReadFromItsBeginning) {
  Decided later = decided(9);
  later.log.positions.push_back({{"docs", 2}, 5});
  EXPECT_EQ(source_start(committed({}), later),
            (SourceStart{.range = 0, .read = SourceStart::Read::kFromOldest}));
}

TEST(SourceStart, WithoutACommittedOffsetTheAcceptedPositionCounts) {
  EXPECT_EQ(source_start(committed({}), decided(9, 70)), SourceStart{.range = 70});
}

TEST(SourceStart, WhatIsNotDecidedYetIsTakenToBeThere) {
  EXPECT_EQ(source_start(committed(50, encode_log_mark({9})), decided(9, 20)),
            SourceStart{.range = 50});
  EXPECT_EQ(source_start(committed(50, encode_log_mark({9})), decided(9)),
            SourceStart{.range = 50});
}

TEST(SourceStart, WhatCountedNeedsNoSecondChunk) {
  EXPECT_EQ(source_start(committed(50, encode_log_mark({9})), decided(30, 50)),
            SourceStart{.range = 50});
  EXPECT_EQ(source_start(committed(50, encode_log_mark({9})), decided(30, 80)),
            SourceStart{.range = 80});
}

TEST(SourceStart, WhatWasPassedOverIsSketchedAgain) {
  EXPECT_EQ(source_start(committed(50, encode_log_mark({9})), decided(10, 20)),
            (SourceStart{.range = 20, .again = true}));
  EXPECT_EQ(source_start(committed(50, encode_log_mark({9})), decided(10)),
            (SourceStart{.read = SourceStart::Read::kFromOldest, .again = true}));
}

TEST(SourceStart, WhatWasAppendedToAnotherLogIsSketchedAgain) {
  const auto there = committed(50, encode_log_mark({9, "log", "docs"}));
  EXPECT_EQ(source_start(there, decided(5, 20), "log"), SourceStart{.range = 50});
  EXPECT_EQ(source_start(there, decided(5, 20), "another"),
            (SourceStart{.range = 20, .again = true}));
  EXPECT_EQ(source_start(there, decided(5), "another"),
            (SourceStart{.read = SourceStart::Read::kFromOldest, .again = true}));
  EXPECT_EQ(source_start(there, decided(5, 20)), SourceStart{.range = 50});
}

TEST(SourceStart, AnOffsetThatSomebodyElseHasSetSkipsNothingThatMustCome) {
  for (const char* metadata : {"", "neardup/1 5c0ffee 7 00 8"}) {
    EXPECT_EQ(source_start(committed(50, metadata), decided(0, 20)), SourceStart{.range = 20});
    EXPECT_EQ(source_start(committed(50, metadata), decided(0)),
              (SourceStart{.range = 0, .offset = 50}));
  }
}

TEST(PassedOver, OnlyWhatTheReadersAreBehindCanBe) {
  const Appended appended{.offset = 50, .log_offset = 9};
  EXPECT_FALSE(passed_over(appended, kSource, decided(9, 49)));
  EXPECT_TRUE(passed_over(appended, kSource, decided(10, 49)));
  EXPECT_FALSE(passed_over(appended, kSource, decided(10, 50)));
  EXPECT_TRUE(passed_over(appended, kSource, decided(10)));
}

}  // namespace
}  // namespace neardup::TEST_FILE
