#include "storage/format.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup {
namespace {

std::string bytes(auto key) { return {key.begin(), key.end()}; }

DocumentRow sample_document() {
  DocumentRow row;
  row.seq = 5;
  row.id = std::string("i\0d", 3);
  row.name_space = "ns";
  row.time_ms = -2;
  row.content = {1, 2};
  row.tokens = 127;
  row.distinct_shingles = 128;
  row.text_bytes = 0xffff'ffff;
  row.sketch = {0x0807060504030201, 0};
  row.one_bit = {~std::uint64_t{0}};
  return row;
}

TEST(PostingKeyTest, IsBandBucketAndSeqBigEndian) {
  const PostingKey key = encode_posting_key({0x0102, 0x030405060708090a}, 0x0b0c0d0e0f);
  EXPECT_EQ(bytes(key), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
  EXPECT_EQ(bytes(encode_posting_value(0x0102)), "\x02\x01");
}

TEST(PostingKeyTest, KeysAreInOrderOfBandBucketAndArrival) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    // Shifts make equal leading parts and carries likely.
    const Bucket a{static_cast<std::uint16_t>(random() % 3), random() >> random() % 64};
    const Bucket b{static_cast<std::uint16_t>(random() % 3), i % 2 == 0 ? a.key : random() >> 9};
    const Seq s = random() % kMaxSeq >> random() % 40;
    const Seq t = random() % kMaxSeq >> random() % 40;
    EXPECT_EQ(bytes(encode_posting_key(a, s)) < bytes(encode_posting_key(b, t)),
              std::tie(a, s) < std::tie(b, t));
  }
}

TEST(PostingKeyTest, ComesBackWithItsMiniSketch) {
  const PostingKey key = encode_posting_key({kContentBand, 77}, kMaxSeq);
  const auto posting = decode_posting(bytes(key), bytes(encode_posting_value(0xfedc)));
  ASSERT_TRUE(posting);
  EXPECT_EQ(posting->bucket, (Bucket{kContentBand, 77}));
  EXPECT_EQ(posting->seq, kMaxSeq);
  EXPECT_EQ(posting->mini, 0xfedc);
}

TEST(PostingKeyTest, OtherLengthsAreRefused) {
  const std::string key(15, 'k');
  EXPECT_TRUE(decode_posting(key, "vv"));
  EXPECT_FALSE(decode_posting(key.substr(1), "vv"));
  EXPECT_FALSE(decode_posting(key + "k", "vv"));
  EXPECT_FALSE(decode_posting(key, "v"));
  EXPECT_FALSE(decode_posting(key, "vvv"));
  EXPECT_FALSE(decode_posting("", ""));
}

TEST(DocumentFormatTest, IsLaidOutAsDrawn) {
  using namespace std::string_literals;
  EXPECT_EQ(bytes(encode_document_key(0x0102030405)), "\x01\x02\x03\x04\x05");
  EXPECT_EQ(encode_document(sample_document()),
            "\x01"
            "\xfe\xff\xff\xff\xff\xff\xff\xff"
            "\x01\0\0\0\0\0\0\0"
            "\x02\0\0\0\0\0\0\0"
            "\x7f\x80\x01\xff\xff\xff\xff\x0f"
            "\x02ns\x03i\0d"
            "\x02\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\0\0\0\0\0"
            "\x01\xff\xff\xff\xff\xff\xff\xff\xff"s);
}

TEST(DocumentFormatTest, ComesBackTheSame) {
  const std::string value = encode_document(sample_document());
  const auto row = decode_document(5, value);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->seq, 5);
  EXPECT_EQ(row->id, sample_document().id);
  EXPECT_EQ(row->name_space, "ns");
  EXPECT_EQ(row->time_ms, -2);
  EXPECT_EQ(row->content, (Hash128{1, 2}));
  EXPECT_EQ(row->tokens, 127);
  EXPECT_EQ(row->distinct_shingles, 128);
  EXPECT_EQ(row->text_bytes, 0xffff'ffff);
  EXPECT_EQ(row->sketch, sample_document().sketch);
  EXPECT_EQ(row->one_bit, sample_document().one_bit);
}

TEST(DocumentFormatTest, AnyCutOrAddedByteIsRefused) {
  const std::string value = encode_document(sample_document());
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(decode_document(5, value.substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_document(5, value + '\0'));
}

TEST(DocumentFormatTest, AnotherVersionIsRefused) {
  std::string value = encode_document(sample_document());
  value[0] = 2;
  EXPECT_FALSE(decode_document(5, value));
}

TEST(DocumentFormatTest, CountsThatPromiseMoreThanThereIsAllocateNothing) {
  const std::string start(1 + 8 + 16, '\x01');
  const std::string numbers(3, '\0');
  const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";  // 2^64 − 1
  EXPECT_FALSE(decode_document(1, start + numbers + huge));
  EXPECT_FALSE(decode_document(1, start + numbers + std::string(2, '\0') + huge));
  const std::string wraps = "\x81\x80\x80\x80\x80\x80\x80\x80\x20";  // 2^61 + 1 words
  EXPECT_FALSE(
      decode_document(1, start + numbers + std::string(2, '\0') + wraps + "12345678" + '\0'));
}

TEST(DocumentFormatTest, OnlyTheShortestFormOfANumberIsRead) {
  const std::string start(1 + 8 + 16, '\x01');
  const std::string rest(6, '\0');
  EXPECT_TRUE(decode_document(1, start + '\x05' + rest));
  EXPECT_FALSE(decode_document(1, start + "\x85" + '\0' + rest));
  EXPECT_FALSE(decode_document(1, start + "\x80\x80\x80\x80\x10" + rest));  // 2^32
  EXPECT_FALSE(decode_document(1, start + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02" + rest));
  EXPECT_FALSE(decode_document(1, start + std::string(20, '\x80') + rest));
}

TEST(IdFormatTest, IsLaidOutAsDrawn) {
  using namespace std::string_literals;
  const IdRow row{.seq = 0x0102030405,
                  .time_ms = 1,
                  .content = {2, 3},
                  .kept = false,
                  .has_document = true,
                  .original = 0x0504030201,
                  .similarity = 1'000'000};
  EXPECT_EQ(encode_id(row),
            "\x01\x02\x05\x04\x03\x02\x01"
            "\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"
            "\x01\x02\x03\x04\x05\x40\x42\x0f\0"s);
  EXPECT_EQ(encode_id(decode_id(encode_id(row)).value()), encode_id(row));
}

TEST(IdFormatTest, OtherLengthsVersionsAndFlagsAreRefused) {
  const std::string value = encode_id({});
  ASSERT_TRUE(decode_id(value));
  for (std::size_t size = 0; size < value.size(); ++size)
    EXPECT_FALSE(decode_id(value.substr(0, size)));
  EXPECT_FALSE(decode_id(value + '\0'));
  EXPECT_FALSE(decode_id('\x02' + value.substr(1)));
  EXPECT_FALSE(decode_id(std::string("\x01\x04") + value.substr(2)));
}

TEST(IdKeyTest, DifferentPairsHaveDifferentKeys) {
  using namespace std::string_literals;
  EXPECT_EQ(encode_id_key({"ns", "id"}), "\x02nsid");
  EXPECT_NE(encode_id_key({"",
                           "\x01"
                           "ab"}),
            encode_id_key({"a", "b"}));
  EXPECT_NE(encode_id_key({"ab", "c"}), encode_id_key({"a", "bc"}));
  EXPECT_NE(encode_id_key({"\0"s, ""}), encode_id_key({"", "\0"s}));
  EXPECT_EQ(encode_id_key({std::string(200, 'n'), ""}), "\xc8\x01" + std::string(200, 'n'));
}

TEST(OutboxKeyTest, IsTheNumberBigEndian) {
  EXPECT_EQ(bytes(encode_outbox_key(0x0102030405060708)), "\x01\x02\x03\x04\x05\x06\x07\x08");
}

TEST(CountsFormatTest, ComeBackTheSame) {
  const StoredCounts counts{1, ~std::uint64_t{0}};
  EXPECT_EQ(decode_counts(encode_counts(counts)), counts);
  EXPECT_FALSE(decode_counts(encode_counts(counts) + "x"));
  EXPECT_FALSE(decode_counts(""));
}

}  // namespace
}  // namespace neardup
