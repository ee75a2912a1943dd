#include "config/show.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "config/fields.h"
#include "config/values.h"
#include "tests/unit/config/load_helper.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void expect_round_trip(const Config& config) {
  const std::string yaml = show_config(config);
  const LoadResult again = load_yaml(yaml);
  EXPECT_THAT(again.problems, IsEmpty()) << yaml;
  EXPECT_EQ(show_config(again.config), yaml);
  for (const Field& field : fields()) {
    EXPECT_EQ(print_value(field, again.config), print_value(field, config)) << field.key;
  }
}

TEST(Show, TheDefaultsReadBackTheSame) { expect_round_trip(Config{}); }

TEST(Show, OtherValuesReadBackTheSame) {
  const LoadResult loaded =
      load_sets({"threshold=0.123456",
                 "against=all",
                 "backend=cpu",
                 "input.id_field=/a b/~0: #x",
                 "text.invalid_utf8=reject",
                 "text.fold=marks",
                 "text.min_tokens=0",
                 "shingle.unit=char",
                 "sketch.family=minhash",
                 "sketch.hash=permutation",
                 "sketch.universe=65536",
                 "lsh.bands=4",
                 "lsh.rows=7",
                 "filter.one_bit=false",
                 "verify.mode=exact",
                 "storage.keep_texts=all",
                 "cpu.threads=3",
                 "cpu.bit_count=divide_and_conquer",
                 "batch.max_bytes=1001",
                 "storage.store=memory",
                 "output.mode=filter",
                 "kafka.brokers=a:9092,[::1]:9092",
                 "kafka.topics=null,2024,a.b",
                 "kafka.group_id= \"g\": #",
                 "kafka.output_topic=1",
                 "kafka.secrets.sasl.password=not read: \"here\"",
                 "kafka.librdkafka.security.protocol=SASL_SSL",
                 "kafka.librdkafka.sasl.mechanism=PLAIN",
                 "kafka.librdkafka.null=~",
                 "kafka.librdkafka.-=",
                 "kafka.librdkafka.ssl.certificate.pem=a\nb\n",
                 "http.listen=[::1]:0",
                 "log.level=warning",
                 std::string("storage.path=null \"q\" \\ \x01\x7f é ~ # : \n\t")});
  ASSERT_THAT(loaded.problems, IsEmpty());
  expect_round_trip(loaded.config);
  const KafkaOptions again = load_yaml(show_config(loaded.config)).config.kafka;
  EXPECT_EQ(again.topics, loaded.config.kafka.topics);
  EXPECT_EQ(again.librdkafka, loaded.config.kafka.librdkafka);
  EXPECT_EQ(again.secrets, loaded.config.kafka.secrets);
}

TEST(Show, ListsEveryKeyOnce) {
  const std::string yaml = show_config(Config{});
  for (const Field& field : fields()) {
    EXPECT_THAT(yaml, HasSubstr(std::string(leaf_of(field.key)) + ": ")) << field.key;
  }
}

TEST(Show, ThePublishedSeedIsPrintedAndASecretOneIsNot) {
  EXPECT_THAT(show_config(Config{}), HasSubstr("  seed: \"243f6a8885a308d313198a2e03707344\"\n"));
  Config config;
  config.sketch.seed = {0x1234567812345678, 0x1234567812345678};
  EXPECT_THAT(show_config(config), Not(HasSubstr("1234567812345678")));
  EXPECT_THAT(show_config(config), HasSubstr("  # seed: (secret)\n"));
  config.seed_file = "/run/secrets/seed";
  EXPECT_THAT(show_config(config), Not(HasSubstr("1234567812345678")));
  EXPECT_THAT(show_config(config), HasSubstr("  seed_file: /run/secrets/seed\n"));
}

TEST(Show, SecretsOfLibrdkafkaAreNotPrinted) {
  Config config;
  config.kafka.secret_values = {{"sasl.password", "hunter2"}};
  config.kafka.secrets = {{"sasl.password", "/run/secrets/kafka"}};
  config.kafka.librdkafka = {{"security.protocol", "SASL_SSL"}, {"sasl.mechanism", "PLAIN"}};
  for (const char* key : {"ssl.key.pem", "ssl.key.password", "ssl.keystore.password",
                          "sasl.oauthbearer.config", "sasl.oauthbearer.client.secret",
                          "sasl.oauthbearer.assertion.private.key.pem", "ssl_key"}) {
    config.kafka.librdkafka[key] = "hunter2";
  }
  const std::string yaml = show_config(config);
  EXPECT_THAT(yaml, Not(HasSubstr("hunter2")));
  EXPECT_THAT(yaml, HasSubstr("\n    # ssl.key.pem: (secret)\n"));
  EXPECT_THAT(yaml, HasSubstr("\n    \"sasl.password\": /run/secrets/kafka\n"));
  EXPECT_THAT(load_yaml(yaml).problems, IsEmpty()) << "comments only, and no entries";
}

TEST(Show, OtherKeysOfLibrdkafkaArePrinted) {
  Config config;
  for (const char* key : {"ssl.key.location", "ssl.certificate.pem", "security.protocol"}) {
    config.kafka.librdkafka = {{key, "shown"}};
    EXPECT_THAT(show_config(config), HasSubstr("\"" + std::string(key) + "\": \"shown\"\n"));
  }
}

TEST(Reference, ThePageInDocsIsUpToDate) {
  std::ifstream file("docs/configuration.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), reference_markdown())
      << "make it again: neardup config reference > docs/configuration.md";
}

TEST(Reference, NamesEveryKey) {
  for (const Field& field : fields()) {
    EXPECT_THAT(reference_markdown(), HasSubstr("| `" + std::string(field.key) + "` |"));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
