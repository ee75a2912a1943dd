#include "storage/format.h"

#include <gtest/gtest.h>

#include <random>

namespace neardup::TEST_FILE {
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
  return row;
}

TEST(RowKeyTest, IsTheSeqBigEndian) {
  EXPECT_EQ(bytes(encode_row_key(0x0102030405)), "\x01\x02\x03\x04\x05");
  EXPECT_EQ(bytes(encode_row_key(kMaxSeq)), "\xff\xff\xff\xff\xff");
}

TEST(RowKeyTest, KeysAreInOrderOfArrivalAndComeBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    // Shifts make equal leading parts and carries likely.
    const Seq a = random() % kMaxSeq >> random() % 40;
    const Seq b = random() % kMaxSeq >> random() % 40;
    EXPECT_EQ(bytes(encode_row_key(a)) < bytes(encode_row_key(b)), a < b);
    EXPECT_EQ(decode_row_key(bytes(encode_row_key(a))), a);
  }
}

TEST(RowKeyTest, OtherLengthsAreRefused) {
  EXPECT_FALSE(decode_row_key(""));
  EXPECT_FALSE(decode_row_key("kkkk"));
  EXPECT_FALSE(decode_row_key("kkkkkk"));
}

TEST(DocumentFormatTest, IsLaidOutAsDrawn) {
  using namespace std::string_literals;
  EXPECT_EQ(encode_document(sample_document()),
            "\x02"
            "\xfe\xff\xff\xff\xff\xff\xff\xff"
            "\x01\0\0\0\0\0\0\0"
            "\x02\0\0\0\0\0\0\0"
            "\x7f\x80\x01\xff\xff\xff\xff\x0f"
            "\x02ns\x03i\0d"
            "\x02\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\0\0\0\0\0"s);
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
  for (const char version : {'\0', '\1', '\3'}) {
    value[0] = version;
    EXPECT_FALSE(decode_document(5, value));
  }
}

TEST(DocumentFormatTest, CountsThatPromiseMoreThanThereIsAllocateNothing) {
  const std::string start(1 + 8 + 16, '\x02');
  const std::string numbers(3, '\0');
  const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";  // 2^64 − 1
  EXPECT_FALSE(decode_document(1, start + numbers + huge));
  EXPECT_FALSE(decode_document(1, start + numbers + std::string(2, '\0') + huge));
  const std::string wraps = "\x81\x80\x80\x80\x80\x80\x80\x80\x20";  // 2^61 + 1 words
  EXPECT_FALSE(
      decode_document(1, start + numbers + std::string(2, '\0') + wraps + "12345678" + '\0'));
}

TEST(DocumentFormatTest, OnlyTheShortestFormOfANumberIsRead) {
  const std::string start(1 + 8 + 16, '\x02');
  const std::string rest(5, '\0');
  EXPECT_TRUE(decode_document(1, start + '\x05' + rest));
  EXPECT_FALSE(decode_document(1, start + "\x85" + '\0' + rest));
  EXPECT_FALSE(decode_document(1, start + "\x80\x80\x80\x80\x10" + rest));  // 2^32
  EXPECT_FALSE(decode_document(1, start + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02" + rest));
  EXPECT_FALSE(decode_document(1, start + std::string(20, '\x80') + rest));
}

const IdKey kIdKey{"ns", std::string("i\0d", 3)};

IdRow sample_id() {
  return {.seq = 5,
          .time_ms = 1,
          .content = {2, 3},
          .kept = false,
          .has_document = true,
          .original = 0x0504030201,
          .similarity = 1'000'000};
}

TEST(IdFormatTest, IsLaidOutAsDrawn) {
  using namespace std::string_literals;
  EXPECT_EQ(encode_id(kIdKey, sample_id()),
            "\x02\x02"
            "\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"
            "\x01\x02\x03\x04\x05\x40\x42\x0f\0"
            "\x02ns\x03i\0d"s);
}

TEST(IdFormatTest, ComesBackTheSame) {
  for (const bool kept : {false, true}) {
    for (const bool has_document : {false, true}) {
      IdRow row = sample_id();
      row.kept = kept;
      row.has_document = has_document;
      const auto id = decode_id(5, encode_id(kIdKey, row));
      ASSERT_TRUE(id);
      EXPECT_EQ(id->key, kIdKey);
      EXPECT_EQ(id->row.seq, 5);
      EXPECT_EQ(id->row.time_ms, 1);
      EXPECT_EQ(id->row.content, (Hash128{2, 3}));
      EXPECT_EQ(id->row.kept, kept);
      EXPECT_EQ(id->row.has_document, has_document);
      EXPECT_EQ(id->row.original, 0x0504030201);
      EXPECT_EQ(id->row.similarity, 1'000'000);
    }
  }
}

TEST(IdFormatTest, OtherLengthsVersionsAndFlagsAreRefused) {
  const std::string value = encode_id(kIdKey, sample_id());
  ASSERT_TRUE(decode_id(1, value));
  for (std::size_t size = 0; size < value.size(); ++size)
    EXPECT_FALSE(decode_id(1, value.substr(0, size)));
  EXPECT_FALSE(decode_id(1, value + '\0'));
  EXPECT_FALSE(decode_id(1, '\x01' + value.substr(1)));
  EXPECT_FALSE(decode_id(1, std::string("\x02\x04") + value.substr(2)));
}

TEST(ImpliedIdTest, IsThatOfAKeptDocument) {
  const StoredId id = implied_id(sample_document());
  EXPECT_EQ(id.key, (IdKey{"ns", sample_document().id}));
  EXPECT_EQ(id.row.seq, 5);
  EXPECT_EQ(id.row.time_ms, -2);
  EXPECT_EQ(id.row.content, (Hash128{1, 2}));
  EXPECT_TRUE(is_implied(id.row));
}

TEST(ImpliedIdTest, FlaggedIdsAndThoseWithoutADocumentAreNotImplied) {
  EXPECT_FALSE(is_implied({.kept = false, .has_document = true}));
  EXPECT_FALSE(is_implied({.kept = true, .has_document = false}));
  EXPECT_FALSE(is_implied({.kept = false, .has_document = false}));
}

TEST(UniqueBytesTest, DifferWhereTheIdDiffers) {
  using namespace std::string_literals;
  EXPECT_EQ(unique_bytes({"ns", "id"}), "\x02nsid");
  EXPECT_NE(unique_bytes({"",
                          "\x01"
                          "ab"}),
            unique_bytes({"a", "b"}));
  EXPECT_NE(unique_bytes({"ab", "c"}), unique_bytes({"a", "bc"}));
  EXPECT_NE(unique_bytes({"\0"s, ""}), unique_bytes({"", "\0"s}));
  EXPECT_EQ(unique_bytes({std::string(200, 'n'), ""}), "\xc8\x01" + std::string(200, 'n'));
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
}  // namespace neardup::TEST_FILE
