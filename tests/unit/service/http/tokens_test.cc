#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

#include "service/http/guard.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

class Tokens : public testing::Test {
 protected:
  HttpTokens following(std::vector<std::string> now) {
    HttpTokens tokens{"fixed"};
    tokens.follow(
        file_, std::move(now),
        [this](const std::string&, std::vector<std::string>& read) -> std::string {
          ++reads_;
          const std::string content = scratch_.read("tokens");
          if (content == "bad") return "is bad";
          if (!std::filesystem::exists(file_)) return "is missing";
          read = {content};
          return {};
        },
        [this](const std::string& problem) { told_.push_back(problem); });
    return tokens;
  }
  // The file is looked at once a second at most.
  static void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(1010)); }

  ScratchDirectory scratch_;
  const std::string file_ = scratch_.write("tokens", "first");
  int reads_ = 0;
  std::vector<std::string> told_;
};

TEST_F(Tokens, OfNobodyLetNobodyIn) {
  HttpTokens none;
  EXPECT_FALSE(none.allow(""));
  EXPECT_FALSE(none.allow("Bearer "));
  EXPECT_FALSE(none.allow("Bearer x"));
}

TEST_F(Tokens, OfAFileAreReadAgainWhenItChanges) {
  HttpTokens tokens = following({"first"});
  EXPECT_TRUE(tokens.allow("Bearer first"));
  EXPECT_TRUE(tokens.allow("Bearer fixed"));
  scratch_.write("tokens", "second");
  EXPECT_FALSE(tokens.allow("Bearer second")) << "it was looked at just now";
  wait();
  EXPECT_TRUE(tokens.allow("Bearer second"));
  EXPECT_FALSE(tokens.allow("Bearer first"));
  EXPECT_TRUE(tokens.allow("Bearer fixed"));
  wait();
  EXPECT_TRUE(tokens.allow("Bearer second"));
  EXPECT_EQ(reads_, 2);
}

TEST_F(Tokens, OfAFileThatCannotBeUsedLetNobodyInUntilItIsGood) {
  HttpTokens tokens = following({"first"});
  EXPECT_TRUE(tokens.allow("Bearer first"));
  scratch_.write("tokens", "bad");
  wait();
  EXPECT_FALSE(tokens.allow("Bearer first"));
  EXPECT_TRUE(tokens.allow("Bearer fixed"));
  wait();
  EXPECT_FALSE(tokens.allow("Bearer first"));
  EXPECT_THAT(told_, ElementsAre("is bad"));
  scratch_.write("tokens", "third");
  wait();
  EXPECT_TRUE(tokens.allow("Bearer third"));
  EXPECT_FALSE(tokens.allow("Bearer first"));
  EXPECT_THAT(told_, ElementsAre("is bad", ""));
}

TEST_F(Tokens, OfARemovedFileLetNobodyIn) {
  HttpTokens tokens = following({"first"});
  EXPECT_TRUE(tokens.allow("Bearer first"));
  std::filesystem::remove(file_);
  wait();
  EXPECT_FALSE(tokens.allow("Bearer first"));
  EXPECT_THAT(told_, ElementsAre("is missing"));
}

TEST_F(Tokens, ThatChangedBeforeTheyAreFollowedAreRead) {
  scratch_.write("tokens", "later");
  HttpTokens tokens = following({"first"});
  EXPECT_TRUE(tokens.allow("Bearer later"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
