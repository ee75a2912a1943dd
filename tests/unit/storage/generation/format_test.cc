#include "storage/generation/format.h"

#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

using namespace std::string_literals;

Manifest sample_manifest() {
  return {.generation = 7,
          .epoch = 3,
          .purpose = 0x0807060504030201,
          .level = 1,
          .first = 5,
          .end = 300,
          .ids = 200,
          .prefix_bits = 8,
          .columns = {{128, 4}, {0, 1}}};
}

TEST(PageKeyTest, IsLaidOutAsDrawn) {
  const std::string key = encode_page_key(0x01020304, 0x0506, 0x0708090a);
  EXPECT_EQ(key, "\x01\x02\x03\x04\x05\x06\0\x07\x08\x09\x0a"s);
  EXPECT_EQ(encode_list_key(key, 0x0b0c0d0e0f, 0x10111213),
            key + "\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13");
  EXPECT_EQ(encode_filter_key(0x01020304, 0x0506, 0x0708090a),
            "\x01\x02\x03\x04\x05\x06\x01\x07\x08\x09\x0a"s);
  EXPECT_EQ(encode_manifest_key(0x01020304), "\x01\x02\x03\x04\xff\xff");
}

TEST(PageKeyTest, ComesBack) {
  const std::string key = encode_page_key(1, 2, 0xfedcba98);
  const auto page = decode_page_key(key);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->prefix, 0xfedcba98);
  EXPECT_FALSE(page->is_list);
  const auto list = decode_page_key(encode_list_key(key, 0xfedcba9876, 3));
  ASSERT_TRUE(list);
  EXPECT_EQ(list->prefix, 0xfedcba98);
  EXPECT_TRUE(list->is_list);
  EXPECT_EQ(list->hash, 0xfedcba9876);
  EXPECT_EQ(decode_generation(key), 1);
  EXPECT_EQ(decode_generation(encode_manifest_key(~std::uint32_t{0})), ~std::uint32_t{0});
}

TEST(PageKeyTest, OtherLengthsAreRefused) {
  const std::string key = encode_page_key(1, 2, 3);
  EXPECT_FALSE(decode_page_key(key.substr(1)));
  EXPECT_FALSE(decode_page_key(key + "x"));
  EXPECT_FALSE(decode_page_key(encode_list_key(key, 4, 5) + "x"));
  EXPECT_FALSE(decode_generation("12345"));
}

TEST(ManifestTest, IsLaidOutAsDrawnAndComesBack) {
  const std::string value = encode_manifest(sample_manifest());
  EXPECT_EQ(value,
            "\x01\x03\x01\x02\x03\x04\x05\x06\x07\x08"
            "\x01\x05\xac\x02\xc8\x01\x08\x02\x80\x01\x04\0\x01"s);
  EXPECT_EQ(decode_manifest(7, value), sample_manifest());
}

TEST(ManifestTest, AnyCutOrAddedByteAndOtherVersionsAreRefused) {
  std::string value = encode_manifest(sample_manifest());
  for (std::size_t size = 0; size < value.size(); ++size) {
    EXPECT_FALSE(decode_manifest(7, value.substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_manifest(7, value + '\0'));
  value[0] = 2;
  EXPECT_FALSE(decode_manifest(7, value));
}

TEST(ManifestTest, WhatCannotBeIsRefused) {
  const auto refused = [](auto change) {
    Manifest manifest = sample_manifest();
    change(manifest);
    return !decode_manifest(7, encode_manifest(manifest));
  };
  EXPECT_FALSE(refused([](Manifest&) {}));
  EXPECT_TRUE(refused([](Manifest& m) { m.first = m.end + 1; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.end = kMaxSeq + 2; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.prefix_bits = kLeastPrefixBits - 1; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.prefix_bits = 33; }));
}

TEST(PageTest, IsReadInPlace) {
  const std::string value = "\x02\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\xff\xff\xff\xff"s;
  const auto page = decode_page(value);
  ASSERT_TRUE(page);
  ASSERT_EQ(page->size(), 2);
  EXPECT_EQ(page->rest[0], 1);
  EXPECT_EQ(page->rest[1], 2);
  EXPECT_EQ(page->offset[0], 3);
  EXPECT_EQ(page->offset[1], kLongList);
}

TEST(PageTest, SizesThatDoNotFitAreRefused) {
  const std::string eight(8, '\0');
  EXPECT_TRUE(decode_page("\x01\0\0\0"s + eight));
  EXPECT_FALSE(decode_page("\x02\0\0\0"s + eight));
  EXPECT_FALSE(decode_page("\0\0\0\0"s + eight));
  EXPECT_FALSE(decode_page("\x01\0\0\0"s + eight + "x"));
  EXPECT_FALSE(decode_page("\0\0\0"s));
  EXPECT_FALSE(decode_page(""));
  EXPECT_TRUE(decode_list("1234"));
  EXPECT_FALSE(decode_list(""));
  EXPECT_FALSE(decode_list("12345"));
}

TEST(HashPartsTest, PrefixAndRestMakeTheHashAgain) {
  for (const unsigned bits : {8u, 9u, 31u, 32u}) {
    for (const Hash40 hash : {Hash40{0}, Hash40{0xffffffffff}, Hash40{0x123456789a}}) {
      EXPECT_EQ(hash_from(prefix_of(hash, bits), rest_of(hash, bits), bits), hash) << bits;
    }
  }
  EXPECT_EQ(prefix_of(0x123456789a, 8), 0x12);
  EXPECT_EQ(rest_of(0x123456789a, 8), 0x3456789a);
}

}  // namespace
}  // namespace neardup::TEST_FILE
