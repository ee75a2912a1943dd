#include "service/kafka/cluster/sketcher/source_note.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

const SourceNote kNote{"5c0ffee", {{"docs", "Yl1rVsrHQ4mWpX9v1s0m2A"}, {"log", "q2X8"}}};

TEST(SourceNote, ComesBack) {
  EXPECT_EQ(encode_source_note(kNote),
            "neardup-sources/1 5c0ffee docs Yl1rVsrHQ4mWpX9v1s0m2A log q2X8");
  EXPECT_EQ(decode_source_note(encode_source_note(kNote)), kNote);
}

TEST(SourceNote, IsNothingElse) {
  for (const char* text :
       {"", "neardup-sources/1", "neardup-sources/1 c docs", "neardup-sources/2 c",
        "neardup-log/1 4", "neardup-sources/1 c  docs a", "neardup-sources/1 c more a docs b"}) {
    EXPECT_EQ(decode_source_note(text), std::nullopt) << text;
  }
}

TEST(SourceNote, FitsIntoTheMetadataOfAnOffset) {
  SourceNote many{"5c0ffee", {}};
  for (int i = 0; i < 200; ++i)
    many.ids[fmt::format("topic-of-docs-{:06}", i)] = std::string(22, 'i');
  const std::string text = encode_source_note(many);
  EXPECT_LE(text.size(), kMostNoteBytes);
  EXPECT_GE(decode_source_note(text).value().ids.size(), 80);
}

}  // namespace
}  // namespace neardup::TEST_FILE
