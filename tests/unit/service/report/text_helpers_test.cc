#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/catalogue.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/quantities.h"
#include "service/cli/option_values.h"
#include "service/report/library_versions.h"
#include "service/revision.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(HumanBytes, HaveOneDecimalAndTheLargestUnitThatFits) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(999), "999 bytes");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(999'949), "999.9 kB");
  EXPECT_EQ(human_bytes(999'950), "1.0 MB");
  EXPECT_EQ(human_bytes(14.24e9), "14.2 GB");
  EXPECT_EQ(human_bytes(5e18), "5000.0 PB");
}

TEST(HumanTime, IsRfc3339) {
  EXPECT_EQ(human_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(human_time(1'700'000'000'123), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(human_time(-1), "1969-12-31T23:59:59.999Z");
}

TEST(JsonObject, KeepsTheOrderAndEscapes) {
  EXPECT_EQ(JsonObject().str(), "{}");
  EXPECT_EQ(
      JsonObject().text("b", "a\"\\\n").number("a", 7).boolean("c", true).json("d", "[1]").str(),
      R"({"b":"a\"\\\n","a":7,"c":true,"d":[1]})");
}

TEST(JsonObject, IllFormedTextBecomesValid) {
  EXPECT_EQ(JsonObject().text("a", "x\xff").str(), "{\"a\":\"x\xEF\xBF\xBD\"}");
}

TEST(JsonObject, NumbersKeepSixDigits) {
  EXPECT_EQ(JsonObject().number("a", 0.1).number("b", 1.0 / 3).number("c", 1e-20).str(),
            R"({"a":0.1,"b":0.333333,"c":1e-20})");
  EXPECT_EQ(JsonObject().number("a", ~std::uint64_t{0}).str(), R"({"a":18446744073709551615})");
}

CommandLine given(const std::string& option, const std::string& value) {
  CommandLine line;
  line.given[option] = {value};
  return line;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kUsage);
    return failure.what();
  }
  return "not refused";
}

TEST(OptionValues, AWholeNumberIsReadWhole) {
  EXPECT_EQ(whole_number({}, "--n", 1), std::nullopt);
  EXPECT_EQ(whole_number(given("--n", "10000000000"), "--n", 1), 10'000'000'000);
  for (const char* wrong : {"", "1e6", "-1", "0", "5 ", "x"}) {
    EXPECT_EQ(refusal([&] { whole_number(given("--n", wrong), "--n", 1); }).substr(0, 4), "--n:")
        << wrong;
  }
}

TEST(OptionValues, AFractionLiesBetweenZeroAndOne) {
  EXPECT_EQ(fraction({}, "--j1"), std::nullopt);
  EXPECT_EQ(fraction(given("--j1", "0.25"), "--j1"), 0.25);
  for (const char* wrong : {"", "0", "1", "-0.5", "1.5", "nan", "0.5x"}) {
    EXPECT_EQ(refusal([&] { fraction(given("--j1", wrong), "--j1"); }).substr(0, 5), "--j1:")
        << wrong;
  }
}

TEST(VersionText, TellsTheRevisionEverywhere) {
  const std::string revision(source_revision());
  EXPECT_THAT(revision, MatchesRegex("unknown|[0-9a-f]{40}(-dirty)?"));
  EXPECT_THAT(version_text(), HasSubstr("\nrevision " + revision + "\n"));
  EXPECT_THAT(version_json(), HasSubstr("\"revision\":\"" + revision + "\""));
  EXPECT_THAT(build_versions(), Contains(revision));
  EXPECT_EQ(build_versions().size(), metric_info(Metric::kBuildInfo).labels.size());
}

TEST(VersionText, NamesEveryLibraryWithAVersion) {
  const std::string text = version_text();
  EXPECT_EQ(text.substr(0, 8), "neardup ");
  for (const char* library : {"RocksDB", "ICU", "simdjson", "zstd", "zlib", "bzip2", "liblzma",
                              "lz4", "xxHash", "yaml-cpp", "fmt", "CLI11"}) {
    const std::size_t at = text.find(std::string(library) + " ");
    ASSERT_NE(at, text.npos) << library;
    EXPECT_TRUE(
        std::isdigit(static_cast<unsigned char>(text.at(at + std::string(library).size() + 1))))
        << text;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
