#include "service/kafka/message/flag_codec.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "service/records/flag_writer.h"
#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

// All that a flag says, as text.
std::string said(const Flag& flag) {
  std::string line;
  FlagWriter("0123456789abcdef", 800'000, [](const SourcePosition& source, std::string& out) {
    out += std::to_string(source.input) + "@" + std::to_string(source.place);
  }).append(flag, line);
  return line;
}

bool decodes(std::string_view bytes) {
  ByteReader reader(bytes);
  Flag flag;
  return decode_flag(reader, flag) && reader.finished();
}

TEST(FlagCodec, FlagsOfAllKindsComeBack) {
  for (const Flag& flag : flags_of_all_kinds()) {
    const std::string bytes = encoded(flag);
    ByteReader reader(bytes);
    Flag back;
    ASSERT_TRUE(decode_flag(reader, back)) << said(flag);
    EXPECT_TRUE(reader.finished());
    EXPECT_EQ(said(back), said(flag));
    EXPECT_EQ(encoded(back), bytes);
  }
}

TEST(FlagCodec, WhatAFlagSaysIsInItsBytes) {
  std::vector<std::string> all;
  for (const Flag& flag : flags_of_all_kinds()) all.push_back(encoded(flag));
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

// The chain hashes them, and states hold them.
TEST(FlagCodec, TheBytesOfAFlagNeverChange) {
  const std::vector<Flag> flags = flags_of_all_kinds();
  EXPECT_EQ(hex(encoded(flags[8])), "060064000002cc080a09746f6f206c61726765");
  EXPECT_EQ(hex(encoded(flags.back())),
            "3b06ad0207646f632d3330310361006202950a0c746865206f726967696e616c0301f0803988ff36d8823b"
            "0708a0c21e");
}

TEST(FlagCodec, ACutOffFlagIsNone) {
  for (const Flag& flag : flags_of_all_kinds()) {
    const std::string bytes = encoded(flag);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(decodes(std::string_view(bytes).substr(0, size))) << said(flag) << size;
    }
  }
}

TEST(FlagCodec, AnAlteredByteGivesAnotherFlagOrNone) {
  for (const Flag& flag : flags_of_all_kinds()) {
    const std::string bytes = encoded(flag);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int change = 1; change < 256; ++change) {
        std::string altered = bytes;
        altered[at] = static_cast<char>(altered[at] ^ change);
        ByteReader reader(altered);
        Flag back;
        if (!decode_flag(reader, back) || !reader.finished()) continue;
        ASSERT_EQ(encoded(back), altered) << said(flag) << at << "^" << change;
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
