#include "config/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Load, AnEmptyFileGivesTheDefaults) {
  for (const char* yaml : {"", "\n", "# nothing\n", "---\n", "sketch:\n", "sketch: {}\n"}) {
    const LoadResult result = load_yaml(yaml);
    EXPECT_THAT(result.problems, IsEmpty()) << yaml;
    EXPECT_EQ(result.config.decision.threshold, 800'000u);
    EXPECT_EQ(result.config.sketch.size, 256u);
  }
}

TEST(Load, SettingsGoOverThoseOfAState) {
  Config base;
  base.decision.threshold = 700'000;
  base.sketch.size = 128;
  LoadRequest request;
  request.file = "config.yaml";
  request.base = &base;
  request.sets = {"against=all"};
  const LoadResult result = load_config_text("sketch: {size: 64}\n", request);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.config.decision.threshold, 700'000u);
  EXPECT_EQ(result.config.sketch.size, 64u);
  EXPECT_THAT(result.given, ElementsAre(testing::Pair("against", "--set"),
                                        testing::Pair("sketch.size", "config.yaml:1")));
}

TEST(Load, WhoReadsNoRecordsMayHaveTheSettingsOfAnyInput) {
  LoadRequest request;
  request.file = "config.yaml";
  EXPECT_THAT(load_config_text("input: {format: raw}\n", request).problems,
              ElementsAre(HasSubstr("is for messages of Kafka")));
  request.reads_records = false;
  EXPECT_THAT(load_config_text("input: {format: raw}\n", request).problems, IsEmpty());
}

TEST(Load, EachKindOfValueArrivesInItsField) {
  const LoadResult result = load_yaml(R"(threshold: 0.85
against: all
input: {text_field: /page/body, max_record_bytes: 1MiB}
sketch:
  family: minhash
  hash: 4u
  size: 128
  bits: 16
  universe: none
  seed: "00112233445566778899aabbccddeeff"
lsh: {bands: 16, rows: 6}
filter: {one_bit: false}
cpu: {threads: auto, simd: avx2}
storage: {path: /var/lib/neardup, memory: 512MiB}
)");
  ASSERT_THAT(result.problems, IsEmpty());
  const Config& config = result.config;
  EXPECT_EQ(config.decision.threshold, 850'000u);
  EXPECT_EQ(config.decision.against, Against::kAll);
  EXPECT_EQ(config.input.text_field, "/page/body");
  EXPECT_EQ(config.input.max_record_bytes, std::uint64_t{1} << 20);
  EXPECT_EQ(config.sketch.family, SketchFamily::kMinhash);
  EXPECT_EQ(config.sketch.hash, MinhashHash::k4u);
  EXPECT_EQ(config.sketch.size, 128u);
  EXPECT_EQ(config.sketch.bits, 16u);
  EXPECT_EQ(config.sketch.universe, 0u);
  EXPECT_EQ(config.sketch.seed, (Seed{0x0011223344556677, 0x8899aabbccddeeff}));
  EXPECT_EQ(config.lsh.bands, 16u);
  EXPECT_EQ(config.lsh.rows, 6u);
  EXPECT_FALSE(config.filter.one_bit);
  EXPECT_EQ(config.cpu.threads, 0u);
  EXPECT_EQ(config.cpu.simd, SimdLevel::kAvx2);
  EXPECT_EQ(config.storage.path, "/var/lib/neardup");
  EXPECT_EQ(config.storage.memory, std::uint64_t{512} << 20);
}

TEST(Load, AllProblemsAreListedAtOnceWithTheirLines) {
  const LoadResult result = load_yaml(R"(treshold: 0.9
against: some

sketch:
  size: many
  bits: 7
lsh:
  bands: 16
)");
  EXPECT_THAT(result.problems,
              ElementsAre("config.yaml:1: unknown key `treshold`, did you mean `threshold`?",
                          "config.yaml:2: `against` must be kept or all, not `some`",
                          "config.yaml:5: `sketch.size` must be a whole number from 1 to 16384, "
                          "not `many`",
                          "config.yaml:6: `sketch.bits` must be 1, 2, 4, 8, 16 or 32, not `7`",
                          "config.yaml:8: `lsh.bands` is set without `lsh.rows`; set both, or none "
                          "to have them solved from `lsh.recall`"));
}

TEST(Load, TheEnvironmentOverridesTheFileAndSetOverridesBoth) {
  LoadRequest request;
  request.file = "config.yaml";
  const char* yaml = "sketch: {size: 64}\nlsh: {bucket_cap: 1}\ncpu: {threads: 1}\n";
  request.environment = {{"NEARDUP_LSH_BUCKET_CAP", "2"}, {"NEARDUP_CPU_THREADS", "2"}};
  request.sets = {"cpu.threads=3", "cpu.threads=4"};
  const LoadResult result = load_config_text(yaml, request);
  ASSERT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.config.sketch.size, 64u);
  EXPECT_EQ(result.config.lsh.bucket_cap, 2u);
  EXPECT_EQ(result.config.cpu.threads, 4u) << "the last --set wins";
}

TEST(Load, ProblemsOfTheEnvironmentAndOfSetNameThem) {
  LoadRequest request;
  request.environment = {{"NEARDUP_SKETCH_SIZE", "0"}};
  request.sets = {"verify.mode=exat", "num_perm=1", "threshold", "threshold: 0.7"};
  EXPECT_THAT(load_config(request).problems,
              ElementsAre("environment variable NEARDUP_SKETCH_SIZE: `sketch.size` must be a whole "
                          "number from 1 to 16384, not `0`",
                          "--set: `verify.mode` must be none, sketch or exact, not `exat`",
                          "--set: unknown key `num_perm`, did you mean `sketch.size`?",
                          "--set: `threshold` has no `=`; write KEY=VALUE",
                          "--set: `threshold` has no `=`; write KEY=VALUE"));
}

TEST(Load, VariablesThatNameNoKeyAreIgnoredWithAWarningWhenTheyResembleOne) {
  const LoadResult result = load_environment({{"PATH", "/bin"},
                                              {"SKETCH_SIZE", "1"},
                                              {"NEARDUP_SERVICE_HOST", "10.0.0.1"},
                                              {"NEARDUP_SERVICE_PORT", "80"},
                                              {"NEARDUP_PORT", "tcp://10.0.0.1:80"},
                                              {"NEARDUP_PORT_80_TCP_ADDR", "10.0.0.1"},
                                              {"NEARDUP_CORPUS", "/data"},
                                              {"NEARDUP_SKETCH_SIZ", "1"},
                                              {"NEARDUP_NUM_PERM", "1"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.warnings,
              ElementsAre("environment variable NEARDUP_SKETCH_SIZ: names no key and is ignored, "
                          "did you mean `NEARDUP_SKETCH_SIZE`?",
                          "environment variable NEARDUP_NUM_PERM: names no key and is ignored, did "
                          "you mean `NEARDUP_SKETCH_SIZE`?"));
  EXPECT_EQ(result.config.sketch.size, 256u);
}

TEST(Load, KeysWithUnderscoresAreFoundInTheEnvironment) {
  const LoadResult result = load_environment(
      {{"NEARDUP_INPUT_MAX_RECORD_BYTES", "2MiB"}, {"NEARDUP_STORAGE_EXPECTED_DOCUMENTS", "77"}});
  ASSERT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.config.input.max_record_bytes, std::uint64_t{2} << 20);
  EXPECT_EQ(result.config.storage.expected_documents, 77u);
}

TEST(Load, AFileThatCannotBeReadIsAProblem) {
  LoadRequest request;
  request.file = "/nonexistent/config.yaml";
  EXPECT_THAT(load_config(request).problems,
              ElementsAre("/nonexistent/config.yaml: cannot be read: No such file or directory"));
  request.file = "/";
  EXPECT_THAT(load_config(request).problems, ElementsAre(HasSubstr("/: cannot be read: ")));
}

TEST(Load, AFileIsReadFromItsPath) {
  const std::string path = ::testing::TempDir() + "load_test.yaml";
  std::ofstream(path) << "threshold: 0.7\n";
  LoadRequest request;
  request.file = path;
  const LoadResult result = load_config(request);
  std::remove(path.c_str());
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.config.decision.threshold, 700'000u);
}

TEST(Load, AWrongSeedIsNeverPrinted) {
  const std::string seed = "00112233445566778899aabbccddeefX";
  EXPECT_THAT(load_yaml("sketch: {seed: " + seed + "}").problems,
              ElementsAre("config.yaml:1: `sketch.seed` must be 32 hexadecimal digits"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
