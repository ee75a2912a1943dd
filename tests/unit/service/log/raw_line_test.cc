#include "service/log/raw_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace neardup::TEST_FILE {
namespace {

using testing::ExitedWithCode;

constexpr int kInternal = 70;

void throw_in_a_thread(const std::string& what) {
  std::thread([&] { throw std::runtime_error(what); }).join();
}

TEST(RawLineDeathTest, AnExceptionThatNobodyCatchesIsALineOfJson) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        log_sudden_ends(LogFormat::kJson);
        throw_in_a_thread("a \"b\" \x01 c");
      },
      ExitedWithCode(kInternal),
      R"(^\{"ts":"2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z","level":"error",)"
      R"("event":"ended","reason":"a \\"b\\" \? c"\})");
}

TEST(RawLineDeathTest, SoIsMemoryThatRanOut) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        log_sudden_ends(LogFormat::kText);
        std::thread([] { throw std::bad_alloc(); }).join();
      },
      ExitedWithCode(kInternal), "Z error ended reason=\"out of memory; lower storage.memory");
}

TEST(RawLineDeathTest, ASignalOfAFaultIsToldAndEndsTheProcessAsEver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        log_sudden_ends(LogFormat::kJson);
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), R"("event":"ended","reason":"signal 6"\})");
}

TEST(RawLineTest, ALongReasonIsCutOffAndTheLineIsWhole) {
  testing::internal::CaptureStderr();
  write_raw_error(LogFormat::kJson, "request failed", std::string(5'000, '"'));
  const std::string line = testing::internal::GetCapturedStderr();
  EXPECT_LE(line.size(), 1024);
  EXPECT_TRUE(line.ends_with("\\\"\"}\n")) << line;
}

}  // namespace
}  // namespace neardup::TEST_FILE
