#include "storage/rocksdb/text_codec.h"

#include <gtest/gtest.h>

#include "storage/bytes.h"

namespace neardup::TEST_FILE {
namespace {

std::string with_size(std::uint64_t size, std::string_view frame) {
  std::string stored;
  ByteWriter(stored).varint(size);
  return stored.append(frame);
}

// The zstd frame within a stored text of less than 128 bytes.
std::string frame_of(const std::string& stored) { return stored.substr(1); }

TEST(TextCodecTest, TextsComeBackTheSameWhateverCameBefore) {
  TextCodec codec;
  for (const std::string& text : {std::string("a b c"), std::string(), std::string(1 << 20, 'x'),
                                  std::string(3, '\0'), std::string("a b c")}) {
    EXPECT_EQ(codec.decode(codec.encode(text)), text);
  }
}

TEST(TextCodecTest, RepetitiveTextShrinks) {
  TextCodec codec;
  EXPECT_LT(codec.encode(std::string(100'000, 'x')).size(), 1'000);
}

TEST(TextCodecTest, AnyCutOrAddedByteIsRefused) {
  TextCodec codec;
  const std::string stored = codec.encode("some text that is stored");
  for (std::size_t size = 0; size < stored.size(); ++size) {
    EXPECT_FALSE(codec.decode(stored.substr(0, size))) << size;
  }
  EXPECT_FALSE(codec.decode(stored + "x"));
}

TEST(TextCodecTest, ASizeOtherThanTheFramesIsRefused) {
  TextCodec codec;
  const std::string frame = frame_of(codec.encode("text"));
  EXPECT_TRUE(codec.decode(with_size(4, frame)));
  EXPECT_FALSE(codec.decode(with_size(3, frame)));
  EXPECT_FALSE(codec.decode(with_size(5, frame)));
  EXPECT_FALSE(codec.decode(with_size(std::uint64_t{1} << 60, frame)));
}

TEST(TextCodecTest, AFrameThatUnfoldsToMoreThanTheLimitIsRefused) {
  TextCodec codec;
  const std::string bomb = codec.encode(std::string(1'001, 'x'));
  EXPECT_TRUE(codec.decode(bomb, 1'001));
  EXPECT_FALSE(codec.decode(bomb, 1'000));
}

TEST(TextCodecTest, ASecondFrameBehindTheFirstIsRefused) {
  TextCodec codec;
  const std::string frame = frame_of(codec.encode("text"));
  EXPECT_FALSE(codec.decode(with_size(4, frame + frame)));
  EXPECT_FALSE(codec.decode(with_size(8, frame + frame)));
}

}  // namespace
}  // namespace neardup::TEST_FILE
