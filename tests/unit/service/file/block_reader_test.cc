#include "service/file/block_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "service/records/json_unescape.h"
#include "tests/unit/service/file/support.h"

namespace neardup::TEST_FILE {
namespace {

TEST(BlockReader, skips_within_a_block_and_behind_it) {
  for (const std::size_t piece : {1, 4, 100}) {
    BlockReader reader(std::make_unique<StringStream>("0123456789", piece));
    EXPECT_EQ(reader.ahead().front(), '0');
    reader.take(1);
    ASSERT_TRUE(reader.skip_to(3));
    EXPECT_EQ(reader.ahead().front(), '3');
    ASSERT_TRUE(reader.skip_to(9));
    EXPECT_EQ(reader.ahead(), "9");
    EXPECT_EQ(reader.position(), 9);
    EXPECT_FALSE(reader.skip_to(8));
    reader.take(1);
    EXPECT_TRUE(reader.ahead().empty());
  }
}

TEST(AppendJsonBytes, is_undone_by_the_decoder) {
  std::mt19937_64 random(11);
  std::string buffer;
  for (std::size_t size = 0; size < 3000; size += 1 + size / 40) {
    for (const unsigned specials : {0u, 1u, 10u, 100u}) {
      std::string bytes;
      while (bytes.size() < size) {
        const bool any = random() % 100 < specials;
        bytes += any ? static_cast<char>(random()) : static_cast<char>('a' + random() % 26);
      }
      std::string escaped = "before";
      append_json_bytes(bytes, escaped);
      std::string_view back;
      ASSERT_TRUE(unescape(std::string_view(escaped).substr(6), buffer, back)) << size;
      ASSERT_EQ(back, bytes) << size;
      for (const char c : escaped) ASSERT_GE(static_cast<unsigned char>(c), 0x20);
    }
  }
}

TEST(AppendJsonBytes, escapes_each_byte_at_each_place) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 20; ++place) {
      std::string bytes(20, '!');
      bytes[place] = static_cast<char>(byte);
      std::string escaped;
      append_json_bytes(bytes, escaped);
      const bool special = byte < 0x20 || byte == '"' || byte == '\\';
      ASSERT_EQ(escaped.size() > bytes.size(), special) << byte << " at " << place;
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
