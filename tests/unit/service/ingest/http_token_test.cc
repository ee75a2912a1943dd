#include "service/ingest/http_token.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "pipeline/base/failure.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;

class HttpToken : public testing::Test {
 protected:
  static std::string failure_of(const HttpOptions& options, const std::string& state) {
    try {
      state_token(options, state);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "none";
  }

  ScratchDirectory scratch_;
  const std::string state_ = scratch_.file("state");
};

TEST_F(HttpToken, IsMadeOnceForItsOwner) {
  for (const char* listen : {"127.0.0.1:0", "localhost:80", "[::1]:8080", "127.1.2.3:8080"}) {
    const std::string token = state_token({.listen = listen}, state_);
    EXPECT_EQ(token.size(), 64u);
    EXPECT_EQ(state_token({.listen = listen}, state_), token);
  }
  const auto mode = std::filesystem::status(state_ + "/http_token").permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(HttpToken, IsNeededWhereOthersCanReachThePort) {
  for (const char* listen :
       {"0.0.0.0:8080", "[::]:8080", "10.1.2.3:8080", "example.org:80", "127.example.org:80"}) {
    EXPECT_THAT(failure_of({.listen = listen}, state_), HasSubstr("http.token_file")) << listen;
  }
  EXPECT_FALSE(std::filesystem::exists(state_));
}

TEST_F(HttpToken, IsReadByTheLineForCurl) {
  EXPECT_THAT(curl_line({.token_file = "/run/t"}, state_, "http://h"), HasSubstr("$(cat /run/t)"));
  EXPECT_THAT(curl_line({}, state_, "http://h:1"),
              testing::AllOf(HasSubstr("$(cat " + state_ + "/http_token)"),
                             testing::EndsWith(" http://h:1/v1/documents")));
}

TEST_F(HttpToken, ThatWasCutShortIsRefused) {
  std::filesystem::create_directories(state_);
  std::ofstream(state_ + "/http_token") << "short\n";
  EXPECT_THAT(failure_of({}, state_), HasSubstr("remove it"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
