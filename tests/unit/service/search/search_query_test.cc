#include "service/search/search_query.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

class QueryDecoderTest : public testing::Test {
 protected:
  Record decode(const std::string& line) {
    chunk_ = text_chunk(line);
    return decoder_.decode(chunk_.records.front(), text_);
  }

  RawChunk chunk_;
  QueryDecoder decoder_{InputOptions(), TextOptions()};
  std::string_view text_;
};

TEST_F(QueryDecoderTest, ATextNeedsNoId) {
  for (const char* line : {R"({"text":"some words"})", R"({"text":"some words","id":"x"})"}) {
    EXPECT_EQ(decode(line).kind, RecordKind::kDocument) << line;
    EXPECT_EQ(text_, "some words") << line;
  }
}

TEST_F(QueryDecoderTest, ANamespaceIsKept) {
  EXPECT_EQ(decode(R"({"text":"some words","namespace":"n"})").name_space, "n");
  EXPECT_EQ(decode(R"({"id":"x","namespace":"n"})").name_space, "n");
}

TEST_F(QueryDecoderTest, AnIdAloneIsKeptWithTheReason) {
  const Record record = decode(R"({"id":"x"})");
  EXPECT_EQ(record.reason, RejectReason::kMissingText);
  EXPECT_TRUE(record.has_id);
  EXPECT_EQ(record.id, "x");
}

TEST_F(QueryDecoderTest, NeitherIsRefused) {
  const Record record = decode("{}");
  EXPECT_EQ(record.kind, RecordKind::kRejected);
  EXPECT_FALSE(record.has_id);
  EXPECT_THAT(record.detail, testing::HasSubstr("neither a text nor an id"));
}

TEST_F(QueryDecoderTest, AnInvalidIdIsRefused) {
  EXPECT_EQ(decode(R"({"id":7,"text":"some words"})").reason, RejectReason::kInvalidId);
}

TEST(TextDecoderTest, TheWholeValueIsTheText) {
  TextDecoder decoder{TextOptions()};
  const RawChunk chunk = text_chunk("{\"text\":1}\n\xff");
  std::string_view text;
  const Record record = decoder.decode(chunk.records.front(), text);
  EXPECT_EQ(record.kind, RecordKind::kDocument);
  EXPECT_EQ(text, "{\"text\":1}\n\xef\xbf\xbd");
  EXPECT_TRUE(record.notices.has(NoticeKind::kReplacedBytes));
}

}  // namespace
}  // namespace neardup::TEST_FILE
