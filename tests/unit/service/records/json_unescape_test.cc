#include "service/records/json_unescape.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "gpu/cpu/simd_level.h"
#include "gpu/options.h"
#include "pipeline/base/failure.h"
#include "service/records/unescape_letters.h"

namespace neardup::TEST_FILE {
namespace {

std::optional<std::string> unescaped(std::string_view escaped) {
  std::string buffer;
  std::string_view text;
  if (!unescape(escaped, buffer, text)) return std::nullopt;
  return std::string(text);
}

TEST(JsonUnescape, ReplacesEscapes) {
  EXPECT_EQ(unescaped(""), "");
  EXPECT_EQ(unescaped("plain"), "plain");
  EXPECT_EQ(unescaped(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(unescaped(R"(\\n)"), "\\n");
  EXPECT_EQ(unescaped(R"(a\u00e9b\u4E00\u0041)"), "a\u00E9b\u4E00A");
  EXPECT_EQ(unescaped(R"(\ud83d\ude00.)"), "\U0001F600.");
  EXPECT_EQ(unescaped(R"(\u0041\n\u0042)"), "A\nB");
}

TEST(JsonUnescape, RefusesWhatIsNoEscape) {
  for (const char* escaped :
       {R"(\)", R"(\x)", R"(\0)", R"(\u)", R"(\u12)", R"(\u12g4)", R"(\U0041)", R"(\ud83d)",
        R"(\ude00)", R"(\ud83d\n)", R"(\ud83d\u0041)", R"(\\\)", "\\\xE2\x82\xAC"}) {
    EXPECT_EQ(unescaped(escaped), std::nullopt) << escaped;
  }
}

TEST(JsonUnescape, ReplacesHalvesOfPairsWhereAskedTo) {
  const auto replaced = [](std::string_view escaped) {
    std::string buffer;
    std::string_view text;
    std::uint64_t halves = 0;
    if (!unescape(escaped, buffer, text, &halves)) return std::string("refused");
    return std::to_string(halves) + ":" + std::string(text);
  };
  EXPECT_EQ(replaced(R"(a \ud83d)"), "1:a \uFFFD");
  EXPECT_EQ(replaced(R"(\udca9 b)"), "1:\uFFFD b");
  EXPECT_EQ(replaced(R"(\ud83d\u0041)"), "1:\uFFFDA");
  EXPECT_EQ(replaced(R"(\ud83d\n)"), "1:\uFFFD\n");
  EXPECT_EQ(replaced(R"(\ud83d\ud83d\udca9)"), "1:\uFFFD\U0001F4A9");
  EXPECT_EQ(replaced(R"(\udca9\ud83d)"), "2:\uFFFD\uFFFD");
  EXPECT_EQ(replaced(R"(\ud83d\udca9)"), "0:\U0001F4A9");
  for (const char* escaped : {R"(\ud83d\u12g4)", R"(\ud83)", R"(\ud83d\)", R"(\x)"})
    EXPECT_EQ(replaced(escaped), "refused") << escaped;
}

// The buffer keeps what an earlier, longer string left in it.
TEST(JsonUnescape, ReusesItsBuffer) {
  std::string buffer;
  std::string_view text;
  ASSERT_TRUE(unescape(std::string(500, 'x') + R"(\n)", buffer, text));
  EXPECT_EQ(text, std::string(500, 'x') + "\n");
  ASSERT_TRUE(unescape(R"(\t)", buffer, text));
  EXPECT_EQ(text, "\t");
}

struct Copied {
  std::size_t read;
  std::string written;
  bool operator==(const Copied&) const = default;
};

Copied run_of(LettersKernel kernel, std::string_view in) {
  std::string out(in.size() + kLettersOverrun, '#');
  const LettersRun run = kernel(in.data(), in.data() + in.size(), out.data());
  out.resize(static_cast<std::size_t>(run.out - out.data()));
  return {static_cast<std::size_t>(run.in - in.data()), out};
}

// Byte by byte.
Copied expected(std::string_view in) {
  Copied run{0, ""};
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  while (run.read < in.size()) {
    std::size_t length = 1;
    char c = in[run.read];
    if (c == '\\') {
      const std::size_t name =
          run.read + 1 < in.size() ? kNames.find(in[run.read + 1]) : kNames.npos;
      if (name == kNames.npos) break;
      c = kMeanings[name];
      length = 2;
    }
    run.written += c;
    run.read += length;
  }
  return run;
}

class UnescapeLetters : public ::testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    if (!has_simd(GetParam())) GTEST_SKIP() << "this machine lacks the level";
    kernel_ = letters_kernel(GetParam());
  }
  void check(std::string_view in) const {
    const Copied got = run_of(kernel_, in), want = expected(in);
    ASSERT_EQ(got.read, want.read) << in;
    ASSERT_EQ(got.written, want.written) << in;
  }

 private:
  LettersKernel kernel_ = nullptr;
};

// Every place of an escape within a vector and around its end, and every run of backslashes there.
TEST_P(UnescapeLetters, HoldsAtEveryPlace) {
  for (std::size_t before = 0; before < 140; ++before) {
    for (std::size_t backslashes = 0; backslashes < 70; ++backslashes) {
      const std::string start = std::string(before, 'a') + std::string(backslashes, '\\');
      check(start);
      check(start + "n and more");
      check(start + "u0041 and more");
    }
  }
}

TEST_P(UnescapeLetters, HoldsForEveryByteBehindABackslash) {
  for (int byte = 0; byte < 256; ++byte) {
    for (const std::size_t before : {0, 7, 62, 63, 64})
      check(std::string(before, 'a') + '\\' + static_cast<char>(byte) + "rest");
  }
}

TEST_P(UnescapeLetters, HoldsForRandomText) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "ab \\\\\\n\"/tu\xC3\xA9";
  for (int i = 0; i < 20'000; ++i) {
    const bool dense = random() % 2 == 0;
    std::string in(random() % 300, 'x');
    for (char& c : in) {
      if (dense || random() % 16 == 0) c = kBytes[random() % kBytes.size()];
    }
    check(in);
  }
}

std::string level_name(const ::testing::TestParamInfo<SimdLevel>& info) {
  return std::string(name(info.param));
}
INSTANTIATE_TEST_SUITE_P(Levels, UnescapeLetters,
                         ::testing::Values(SimdLevel::kPortable, SimdLevel::kAvx2,
                                           SimdLevel::kAvx512),
                         level_name);

TEST(LettersKernel, NeedsAMachineThatHasTheLevel) {
  for (const SimdLevel level : {SimdLevel::kPortable, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (has_simd(level)) {
      EXPECT_NO_THROW(letters_kernel(level));
    } else {
      EXPECT_THROW(letters_kernel(level), Failure);
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
