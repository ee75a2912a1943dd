#include "service/kafka/message/commit_metadata.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

const CommitMetadata kMark{"0b2f6a1e-57f6-4f6e-9d0b-5f3c6a0d8e11", 17,
                           "00112233445566778899aabbccddeeff", 4242};
constexpr const char* kText =
    "neardup/1 0b2f6a1e-57f6-4f6e-9d0b-5f3c6a0d8e11 17 00112233445566778899aabbccddeeff 4242";

TEST(CommitMetadata, IsWrittenAsTheFormatPageSays) { EXPECT_EQ(encode_mark(kMark), kText); }

TEST(CommitMetadata, ComesBack) { EXPECT_EQ(decode_mark(kText), kMark); }

constexpr const char* kWithTopic =
    "neardup/2 0b2f6a1e-57f6-4f6e-9d0b-5f3c6a0d8e11 17 00112233445566778899aabbccddeeff 4242 "
    "Yl1rVsrHQ4mWpX9v1s0m2A";

TEST(CommitMetadata, WithTheIdOfATopicIsWrittenAsTheFormatPageSays) {
  EXPECT_EQ(encode_mark(kMark, "Yl1rVsrHQ4mWpX9v1s0m2A"), kWithTopic);
}

TEST(CommitMetadata, WithTheIdOfATopicComesBack) {
  EXPECT_EQ(decode_mark(kWithTopic), kMark);
  EXPECT_EQ(topic_id_of_mark(kWithTopic), "Yl1rVsrHQ4mWpX9v1s0m2A");
}

TEST(CommitMetadata, OfBeforeHasNoIdOfATopic) {
  EXPECT_EQ(topic_id_of_mark(kText), "");
  EXPECT_EQ(topic_id_of_mark("neardup/2 of others 1 2 3"), "");
}

TEST(CommitMetadata, OfTheLargestNumbersComesBack) {
  CommitMetadata mark = kMark;
  mark.batch = mark.next_seq = ~std::uint64_t{0};
  EXPECT_EQ(decode_mark(encode_mark(mark)), mark);
}

TEST(CommitMetadata, IsNothingElse) {
  for (const char* text :
       {"", "neardup/1", "neardup/2 s 1 c 2", "neardup/1 s 1 c", "neardup/1 s 1 c 2 ",
        " neardup/1 s 1 c 2", "neardup/1 s 01 c 2", "neardup/1 s +1 c 2", "neardup/1 s -1 c 2",
        "neardup/2 s 1 c 2 ", "neardup/2 s 1 c 2 i j", "neardup/1 s 1 c 2 i",
        "neardup/1 s 1 c 99999999999999999999", "neardup/1  1 c 2 x", "metadata of others"}) {
    EXPECT_EQ(decode_mark(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
