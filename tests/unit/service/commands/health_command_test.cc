#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/commands/commands.h"
#include "service/http/health.h"
#include "service/http/server.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

class HealthCommand : public ::testing::Test {
 protected:
  static testing::Outcome ask(std::vector<std::string> urls) {
    urls.insert(urls.begin(), "health");
    return testing::run_command(run_health, urls);
  }

  Health health_;
  HttpServer server_{{"127.0.0.1:0"}, operation_routes(health_, "{}")};
  std::string url_ = server_.local_url();
};

TEST_F(HealthCommand, AServiceThatLivesIsWell) {
  const auto outcome = ask({url_ + "/healthz"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, url_ + "/healthz: ok\n");
}

TEST_F(HealthCommand, OneThatIsNotReadySaysWhy) {
  health_.set_not_ready("brokers unreachable");
  health_.set_draining();
  const auto outcome = ask({url_ + "/readyz"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, url_ + "/readyz: draining; brokers unreachable\n");
}

TEST_F(HealthCommand, AllAreAskedAndOneIsEnoughToFail) {
  const auto outcome = ask({"http://127.0.0.1:1/healthz", url_ + "/healthz", "nonsense"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "http://127.0.0.1:1/healthz: no answer\n" + url_ +
                             "/healthz: ok\nnonsense: no answer\n");
}

TEST_F(HealthCommand, AnotherPathIsNoYes) {
  EXPECT_EQ(ask({url_ + "/else"}).status, 1);
  EXPECT_EQ(ask({url_}).status, 1);
}

}  // namespace
}  // namespace neardup::TEST_FILE
