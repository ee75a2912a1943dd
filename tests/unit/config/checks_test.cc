#include "config/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Checks, BandsAndRowsComeTogether) {
  EXPECT_THAT(load_sets({"lsh.bands=16", "lsh.rows=6"}).problems, IsEmpty());
  EXPECT_THAT(load_sets({"lsh.bands=16"}).problems, ElementsAre(HasSubstr("without `lsh.rows`")));
  EXPECT_THAT(load_sets({"lsh.rows=6"}).problems, ElementsAre(HasSubstr("without `lsh.bands`")));
}

TEST(Checks, BandsTimesRowsFitTheSketch) {
  EXPECT_THAT(load_sets({"lsh.bands=16", "lsh.rows=16"}).problems, IsEmpty());
  EXPECT_THAT(load_sets({"lsh.bands=16", "lsh.rows=17"}).problems,
              ElementsAre("--set: `lsh.bands` × `lsh.rows` = 16 × 17 needs 272 values, but "
                          "`sketch.size` is 256"));
  EXPECT_THAT(load_sets({"lsh.bands=16384", "lsh.rows=16384"}).problems,
              ElementsAre(HasSubstr("needs 268435456 values")));
}

TEST(Checks, HashAndUniverseAreOfMinhashOnly) {
  EXPECT_THAT(load_sets({"sketch.hash=4u", "sketch.universe=1000"}).problems,
              ElementsAre(HasSubstr("`sketch.hash` is used with `sketch.family: minhash` only"),
                          HasSubstr("`sketch.universe` is used with")));
  EXPECT_THAT(
      load_sets({"sketch.family=minhash", "sketch.hash=4u", "sketch.universe=1000"}).problems,
      IsEmpty());
}

TEST(Checks, PermutationNeedsAUniverseThatFits) {
  const auto problems = [](const std::string& universe) {
    return load_sets(
               {"sketch.family=minhash", "sketch.hash=permutation", "sketch.universe=" + universe})
        .problems;
  };
  EXPECT_THAT(problems("65536"), IsEmpty());
  EXPECT_THAT(problems("16777216"), IsEmpty());
  EXPECT_THAT(problems("4096"), IsEmpty());
  EXPECT_THAT(problems("none"),
              ElementsAre(HasSubstr("needs `sketch.universe` from 2 to 16777216")));
  EXPECT_THAT(problems("16777217"), ElementsAre(HasSubstr("from 2 to 16777216")));
  EXPECT_THAT(problems("4095"), ElementsAre(HasSubstr("of at least 4096")));
}

TEST(Checks, FieldsAreFoundInFilesOnlyAndWhereNoneIsGiven) {
  LoadRequest request;
  const auto id_of = [&](std::vector<std::string> sets) {
    request.sets = std::move(sets);
    return load_config(request).config.input.id;
  };
  EXPECT_EQ(id_of({}), InputId::kPointer);
  EXPECT_EQ(id_of({"input.id=auto"}), InputId::kAuto);
  request.finds_fields = true;
  EXPECT_EQ(id_of({}), InputId::kAuto);
  EXPECT_EQ(id_of({"input.id=pointer"}), InputId::kPointer);
  EXPECT_EQ(id_of({"input.id_field=/id"}), InputId::kPointer);
  EXPECT_EQ(id_of({"input.text_field=/text"}), InputId::kPointer);
  // Such a command with the configuration of a service, whose messages it reads.
  request.service = true;
  EXPECT_EQ(id_of({}), InputId::kPointer);
  EXPECT_THAT(load_config(request).problems, Not(testing::Contains(HasSubstr("input.id"))));
  EXPECT_THAT(load_sets({"input.id=auto", "input.text_field=/content"}).problems,
              ElementsAre(HasSubstr("leave it out, or `input.id_field`")));
  EXPECT_THAT(load_service("input: {id: auto}\n").problems,
              testing::Contains(HasSubstr("`input.id: auto` is for files")));
}

TEST(Checks, ExactVerificationNeedsTexts) {
  EXPECT_THAT(load_sets({"verify.mode=exact"}).problems,
              ElementsAre("--set: `verify.mode: exact` needs `storage.keep_texts: kept`"));
  EXPECT_THAT(load_sets({"verify.mode=exact", "storage.keep_texts=true"}).problems, IsEmpty());
}

TEST(Checks, ATemporaryStateKeepsTheTextsThatExactVerificationNeeds) {
  LoadRequest request;
  request.temporary_state = true;
  EXPECT_EQ(load_config(request).config.storage.keep_texts, KeepTexts::kNone);
  EXPECT_TRUE(load_config(request).config.storage.temporary);
  request.sets = {"verify.mode=exact"};
  EXPECT_THAT(load_config(request).problems, IsEmpty());
  EXPECT_EQ(load_config(request).config.storage.keep_texts, KeepTexts::kKept);
  request.sets.push_back("storage.keep_texts=false");
  EXPECT_THAT(load_config(request).problems, ElementsAre(HasSubstr("storage.keep_texts: kept")));
}

TEST(Checks, AKeyThatIsWrongAlreadyBringsNoSecondProblem) {
  EXPECT_THAT(load_sets({"lsh.bands=many", "lsh.rows=6"}).problems,
              ElementsAre(HasSubstr("`lsh.bands` must be")));
  EXPECT_THAT(load_sets({"verify.mode=exact", "storage.keep_texts=yes"}).problems,
              ElementsAre(HasSubstr("`storage.keep_texts` must be")));
}

class SeedFile : public ::testing::Test {
 protected:
  ~SeedFile() override { std::remove(path_.c_str()); }

  LoadResult load(const std::string& content, std::vector<std::string> sets = {}) {
    std::ofstream(path_, std::ios::binary) << content;
    sets.push_back("sketch.seed_file=" + path_);
    return load_sets(std::move(sets));
  }

  std::string path_ = ::testing::TempDir() + "neardup_seed_" + std::to_string(getpid());
};

TEST_F(SeedFile, GivesTheSeed) {
  for (const char* end : {"", "\n", "\r\n", "  \n\n"}) {
    const LoadResult result = load(std::string("0000000000000001ffffffffffffffff") + end);
    EXPECT_THAT(result.problems, IsEmpty());
    EXPECT_EQ(result.config.sketch.seed, (Seed{1, ~std::uint64_t{0}}));
    EXPECT_EQ(result.config.seed_file, path_);
  }
}

TEST_F(SeedFile, IsNamedButNotPrintedWhenItsContentIsWrong) {
  for (const std::string& content :
       {std::string(), std::string("secret"), std::string(1'000'000, '0'), std::string(33, '0')}) {
    EXPECT_THAT(load(content).problems,
                ElementsAre("--set: seed file `" + path_ +
                            "` must hold 32 hexadecimal digits and nothing else"));
  }
}

TEST_F(SeedFile, ThatCannotBeReadIsNamed) {
  EXPECT_THAT(load_sets({"sketch.seed_file=/nonexistent/seed"}).problems,
              ElementsAre("--set: seed file `/nonexistent/seed` cannot be read: No such file or "
                          "directory"));
  EXPECT_THAT(load_sets({"sketch.seed_file=/"}).problems,
              ElementsAre(HasSubstr("seed file `/` cannot be read: ")));
}

TEST_F(SeedFile, AndASeedTogetherAreAProblem) {
  EXPECT_THAT(
      load("0000000000000001ffffffffffffffff", {"sketch.seed=0000000000000001ffffffffffffffff"})
          .problems,
      ElementsAre(HasSubstr("`sketch.seed` and `sketch.seed_file` are both set")));
}

TEST_F(SeedFile, AnEmptyPathIsNone) {
  EXPECT_THAT(
      load_sets({"sketch.seed_file=", "sketch.seed=0000000000000001ffffffffffffffff"}).problems,
      IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
