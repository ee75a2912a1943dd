#include "service/log/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// Lines as they were written, at a time that the test moves.
class LogTest : public ::testing::Test {
 protected:
  Log make(LogFormat format, LogLevel level = LogLevel::kDebug) {
    return Log(
        {format, level}, [this](std::string_view line) { lines_.emplace_back(line); },
        [this] { return now_; });
  }
  // The line without time and level.
  std::string text(std::string_view event, Log::Fields fields = {}) {
    make(LogFormat::kText).info(event, fields);
    return lines_.back().substr(std::string_view("2026-11-21T05:00:00.123Z info ").size());
  }

  std::vector<std::string> lines_;
  std::chrono::system_clock::time_point now_ =
      std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + std::chrono::hours(5) +
      std::chrono::milliseconds(123);
};

TEST_F(LogTest, AJsonLineIsOneObject) {
  make(LogFormat::kJson)
      .info("batch delivered", {{"batch", 17}, {"seconds", 0.12}, {"topic", "in"}, {"full", true}});
  EXPECT_THAT(lines_, ElementsAre(R"({"ts":"2026-11-21T05:00:00.123Z","level":"info",)"
                                  R"("event":"batch delivered","batch":17,"seconds":0.12,)"
                                  R"("topic":"in","full":true})"
                                  "\n"));
}

TEST_F(LogTest, ATextLineHasTheSameInOrder) {
  make(LogFormat::kText).info("batch delivered", {{"batch", 17}, {"documents", 16384}});
  EXPECT_THAT(
      lines_,
      ElementsAre("2026-11-21T05:00:00.123Z info batch delivered batch=17 documents=16384\n"));
}

TEST_F(LogTest, FieldsOfTheScopeStandBehindThoseOfTheLine) {
  Log log = make(LogFormat::kText);
  const auto line = [&] {
    log.info("e", {{"a", 1}});
    return lines_.back().substr(lines_.back().find(" e ") + 1);
  };
  {
    const LogScope scope({{"batch", 17}, {"trace_id", "4f"}});
    EXPECT_EQ(line(), "e a=1 batch=17 trace_id=4f\n");
    RateLimitedLog(log, std::chrono::seconds(10)).write(LogLevel::kInfo, "r");
    EXPECT_THAT(lines_.back(), EndsWith(" r batch=17 trace_id=4f\n"));
    std::thread([&] { EXPECT_EQ(line(), "e a=1\n"); }).join();
  }
  EXPECT_EQ(line(), "e a=1\n");
}

TEST_F(LogTest, EveryTypeOfFieldIsTaken) {
  const std::string owned = "owned";
  EXPECT_EQ(text("e", {{"a", std::numeric_limits<std::uint64_t>::max()},
                       {"b", std::numeric_limits<std::int64_t>::min()},
                       {"c", std::uint8_t{7}},
                       {"d", false},
                       {"f", owned},
                       {"g", std::string_view("view")},
                       {"h", 1e-7}}),
            "e a=18446744073709551615 b=-9223372036854775808 c=7 d=false f=owned g=view h=1e-07\n");
}

TEST_F(LogTest, LevelsBelowTheWantedOneAreNotWritten) {
  Log log = make(LogFormat::kText, LogLevel::kWarning);
  log.debug("a");
  log.info("b");
  log.warning("c");
  log.error("d");
  EXPECT_THAT(lines_, ElementsAre("2026-11-21T05:00:00.123Z warning c\n",
                                  "2026-11-21T05:00:00.123Z error d\n"));
}

TEST_F(LogTest, DebugIsWrittenWhenWanted) {
  make(LogFormat::kText).debug("a");
  EXPECT_THAT(lines_, ElementsAre("2026-11-21T05:00:00.123Z debug a\n"));
}

TEST_F(LogTest, TextsThatWouldBeMisreadAreQuoted) {
  EXPECT_EQ(text("e", {{"a", "two words"}}), "e a=\"two words\"\n");
  EXPECT_EQ(text("e", {{"a", "x=1"}}), "e a=\"x=1\"\n");
  EXPECT_EQ(text("e", {{"a", "say \"hi\""}}), "e a=\"say \\\"hi\\\"\"\n");
  EXPECT_EQ(text("e", {{"a", "back\\slash"}}), "e a=\"back\\\\slash\"\n");
  EXPECT_EQ(text("e", {{"a", ""}}), "e a=\"\"\n");
  EXPECT_EQ(text("e", {{"a", "größe"}}), "e a=größe\n");
}

TEST_F(LogTest, NothingBreaksALineOrSteersATerminal) {
  const std::string nasty =
      "a\nb\rc\x1B[2Jd\x7F"
      "e\xC2\x9B"
      "f\xE2\x80\xA8g\xE2\x80\xA9h\xC2\x85i" +
      std::string(1, '\0');
  const std::string escaped = R"("a\nb\rc\u001B[2Jd\u007Fe\u009Bf\u2028g\u2029h\u0085i\u0000")";
  EXPECT_EQ(text("e", {{"a", nasty}}), "e a=" + escaped + "\n");
  EXPECT_EQ(text(nasty), escaped + "\n");
  make(LogFormat::kJson).info(nasty, {{"a", nasty}});
  EXPECT_THAT(lines_.back(), EndsWith("\"event\":" + escaped + ",\"a\":" + escaped + "}\n"));
}

TEST_F(LogTest, IllFormedUtf8IsReplaced) {
  EXPECT_EQ(text("e", {{"a", "x\xFFy"}}), "e a=x\xEF\xBF\xBDy\n");
  make(LogFormat::kJson).info("e", {{"a", "x\xFFy"}});
  EXPECT_THAT(lines_.back(), EndsWith("\"a\":\"x\xEF\xBF\xBDy\"}\n"));
}

TEST_F(LogTest, NumbersThatJsonLacksAreTexts) {
  make(LogFormat::kJson).info("e", {{"a", std::nan("")}, {"b", -HUGE_VAL}});
  EXPECT_THAT(lines_.back(), EndsWith(R"("a":"nan","b":"-inf"})"
                                      "\n"));
}

TEST_F(LogTest, SecretsAreHidden) {
  for (const LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
    Log log = make(format);
    log.hide("pass\"word\n\xFF");
    log.hide("hunter22");
    log.error("login of hunter22 failed", {{"detail", "<hunter22pass\"word\n\xFF>"}});
    EXPECT_THAT(lines_.back(), AllOf(HasSubstr("login of *** failed"), HasSubstr("<***>"),
                                     Not(HasSubstr("hunter")), Not(HasSubstr("pass"))));
  }
}

TEST_F(LogTest, ASecretThatBeginsAnotherLeavesNoRest) {
  Log log = make(LogFormat::kText);
  log.hide("abcd");
  log.hide("abcdefgh");
  log.hide("ghij");
  log.hide("xyxy");
  log.info("e", {{"a", "1abcdefghij2"}, {"b", "abcabcd"}, {"c", "xyxyxy"}});
  EXPECT_THAT(lines_.back(), EndsWith("e a=1***2 b=abc*** c=***\n"));
}

TEST_F(LogTest, ShortTextsAreNoSecrets) {
  Log log = make(LogFormat::kText);
  log.hide("");
  log.hide("abc");
  log.info("abc");
  EXPECT_THAT(lines_.back(), EndsWith("info abc\n"));
}

TEST_F(LogTest, ThreadsDoNotMixTheirLines) {
  Log log = make(LogFormat::kText);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&log] {
      for (int n = 0; n < 500; ++n) log.info("e", {{"a", "b"}});
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_THAT(lines_, ::testing::AllOf(::testing::SizeIs(2000),
                                       ::testing::Each("2026-11-21T05:00:00.123Z info e a=b\n")));
}

TEST_F(LogTest, StderrIsTheDefault) {
  ::testing::internal::CaptureStderr();
  Log({LogFormat::kText, LogLevel::kInfo}).info("hello", {{"a", 1}});
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), EndsWith("Z info hello a=1\n"));
}

TEST_F(LogTest, ARepeatedEventIsWrittenOnceInAnInterval) {
  Log log = make(LogFormat::kText);
  RateLimitedLog limited(log, std::chrono::seconds(10));
  const auto write = [&](const char* event) { limited.write(LogLevel::kError, event, {{"a", 1}}); };
  write("down");
  write("down");
  write("other");
  now_ += std::chrono::milliseconds(9999);
  write("down");
  now_ += std::chrono::milliseconds(1);
  write("down");
  now_ += std::chrono::seconds(10);
  write("down");
  EXPECT_THAT(lines_,
              ElementsAre(EndsWith("error down a=1\n"), EndsWith("error other a=1\n"),
                          EndsWith("error down a=1 suppressed=2\n"), EndsWith("error down a=1\n")));
}

TEST_F(LogTest, AClockSetBackDoesNotSilenceAnEvent) {
  Log log = make(LogFormat::kText);
  RateLimitedLog limited(log, std::chrono::seconds(10));
  limited.write(LogLevel::kError, "down");
  now_ -= std::chrono::hours(1);
  limited.write(LogLevel::kError, "down");
  EXPECT_THAT(lines_, ::testing::SizeIs(2));
}

}  // namespace
}  // namespace neardup::TEST_FILE
