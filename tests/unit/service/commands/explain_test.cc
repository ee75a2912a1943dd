// explain on two files, as far as they are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/commands/commands.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Explain : public ::testing::Test {
 protected:
  testing::Outcome explain(const std::string& a, const std::string& b, std::uint64_t max_bytes) {
    return testing::run_command(
        run_explain, {"explain", "--set", "text.max_bytes=" + std::to_string(max_bytes), a, b});
  }

  ScratchDirectory scratch_;
};

TEST_F(Explain, TellsTheSimilarityOfTwoFilesOfAtMostTheLargestSize) {
  const std::string text(100'000, 'x');  // more than is read at a time
  const auto outcome = explain(scratch_.write("a", text), scratch_.write("b", text), text.size());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the normalised texts are equal"));
}

TEST_F(Explain, RefusesAFileOfOneByteMore) {
  const std::string good = scratch_.write("good", std::string(1000, 'x'));
  const std::string large = scratch_.write("large", std::string(1001, 'x'));
  const auto names_it = AllOf(HasSubstr(large), HasSubstr("text.max_bytes (1000)"));
  EXPECT_EQ(explain(good, good, 1000).status, 0);
  EXPECT_EQ(explain(good, large, 1000).status, static_cast<int>(Exit::kUnreadable));
  EXPECT_THAT(explain(large, good, 1000).err, names_it);
}

TEST_F(Explain, RefusesATextThatGrowsAboveTheLargestSizeWhenItIsMended) {
  const std::string bad = scratch_.write("bad", std::string(1000, '\xff'));
  EXPECT_THAT(explain(bad, bad, 1000).err, HasSubstr("text.max_bytes (1000)"));
}

TEST_F(Explain, ReadsNoMoreOfAFileThanItNeedsToRefuseIt) {
  EXPECT_EQ(explain("/dev/zero", "/dev/zero", 1'000'000).status,
            static_cast<int>(Exit::kUnreadable));
}

TEST_F(Explain, ADirectoryOrAMissingFileIsRefused) {
  EXPECT_THAT(explain(scratch_.path(), scratch_.path(), 1000).err, HasSubstr("cannot be read"));
  EXPECT_THAT(explain(scratch_.file("no"), scratch_.file("no"), 1000).err,
              HasSubstr("cannot be read"));
}

TEST_F(Explain, TakesRecordsOfInputsByTheirLines) {
  const std::string input =
      scratch_.write("docs.jsonl",
                     "{\"id\":\"a\",\"text\":\"The Cat sat!\"}\n\n"
                     "{\"id\":\"b\",\"text\":\"the cat, SAT\"}\n{\"id\":\"c\"}\n"
                     "{\"id\":\"d\",\"delete\":true}\n");
  const auto outcome = explain("@" + input + ":1", "@" + input + ":3", 1000);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("docs.jsonl:3   3 tokens"),
                    HasSubstr("the normalised texts are equal"), HasSubstr("The Cat sat!")));
  const auto refused = [&](const std::string& side, Exit exit) {
    const auto done = explain(side, side, 1000);
    EXPECT_EQ(done.status, static_cast<int>(exit)) << side;
    return done.err;
  };
  EXPECT_THAT(refused("@" + input + ":2", Exit::kUnreadable), HasSubstr("no record in this line"));
  EXPECT_THAT(refused("@" + input + ":9", Exit::kUnreadable), HasSubstr("no record in this line"));
  EXPECT_THAT(refused("@" + input + ":4", Exit::kUnreadable), HasSubstr("docs.jsonl:4: "));
  EXPECT_THAT(refused("@" + input + ":5", Exit::kUnreadable), HasSubstr("a delete"));
  for (const char* side : {"@", "@docs.jsonl", "@docs.jsonl:", "@docs.jsonl:0", "@:1", "@a:1x"}) {
    EXPECT_THAT(refused(side, Exit::kUsage), HasSubstr("give @FILE:LINE"));
  }
}

TEST_F(Explain, ANameThatBeginsWithTheSignOfALineIsWrittenWithTwo) {
  EXPECT_THAT(explain("@@none", "@@none", 1000).err, HasSubstr("@none: cannot be read"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
