#include "service/kafka/client/client_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "service/kafka/client/client_conf.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::IsSupersetOf;

TEST(ClientLibrary, KnowsItsKeysOfClientsAndTopics) {
  const auto library = make_client_library();
  EXPECT_THAT(library->keys(),
              IsSupersetOf({"security.protocol", "sasl.oauthbearer.method", "ssl.ca.location",
                            "compression.level", "partitioner"}));
}

TEST(ClientLibrary, TellsUnknownKeysFromWrongValues) {
  const auto library = make_client_library();
  EXPECT_EQ(library->try_setting("security.protocol", "SASL_SSL"), SettingAnswer::kTaken);
  EXPECT_EQ(library->try_setting("partitioner", "murmur2"), SettingAnswer::kTaken);
  EXPECT_EQ(library->try_setting("sasl.mechanism", "PLAIN"), SettingAnswer::kTaken);
  EXPECT_EQ(library->try_setting("security.protocol", "SASL_SLL"), SettingAnswer::kWrongValue);
  EXPECT_EQ(library->try_setting("secuirty.protocol", "SSL"), SettingAnswer::kUnknownKey);
}

// What the service's documented logins rest on.
TEST(ClientLibrary, IsBuiltWithEveryLogin) {
  const KafkaConf conf(rd_kafka_conf_new());
  const std::string features = conf_value(conf.get(), "builtin.features");
  for (const char* wanted : {"ssl", "sasl_plain", "sasl_scram", "sasl_oauthbearer", "oidc", "zstd",
                             "lz4", "snappy", "gzip"}) {
    EXPECT_THAT("," + features + ",", ::testing::HasSubstr("," + std::string(wanted) + ","));
  }
  EXPECT_GE(rd_kafka_version(), 0x02080000);
}

TEST(ClientLibrary, LooksForPluginsOfMechanisms) {
  EXPECT_FALSE(make_client_library()->can_log_in_by("NO-SUCH-MECHANISM"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
