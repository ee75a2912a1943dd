#include "service/kafka/start/start_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

KafkaOptions options() {
  KafkaOptions options;
  options.topics = {"docs", "blogs"};
  options.output_topic = "flags";
  options.dead_letter_topic = "dead";
  return options;
}

// Everything is there and set well.
StartFacts good() {
  StartFacts facts;
  facts.partitions = {{"docs", 5}, {"blogs", 3}, {"flags", 2}, {"dead", 1}};
  for (const auto& topic : facts.partitions) {
    facts.topics[topic.first] = {{"cleanup.policy", "delete"}, {"max.message.bytes", "1048588"}};
  }
  facts.broker = Settings{{{"transaction.max.timeout.ms", "900000"}}};
  facts.producer = {{"batch.size", "1000000"},
                    {"message.max.bytes", "104857600"},
                    {"transaction.timeout.ms", "60000"}};
  return facts;
}

StartFacts with_setting(const std::string& topic, const std::string& key,
                        const std::string& value) {
  StartFacts facts = good();
  facts.topics[topic][key] = value;
  return facts;
}

StartFindings findings(OutputMode mode, const StartFacts& facts) {
  return check_settings(options(), mode, facts);
}

TEST(StartRules, good_settings_give_nothing_to_say) {
  for (const OutputMode mode : {OutputMode::kFlags, OutputMode::kAnnotate, OutputMode::kFilter}) {
    EXPECT_THAT(findings(mode, good()).problems, IsEmpty());
    EXPECT_THAT(findings(mode, good()).warnings, IsEmpty());
  }
}

TEST(StartRules, every_missing_topic_is_named_and_one_that_we_may_not_look_at_is_not) {
  StartFacts facts = good();
  facts.partitions = {{"docs", 0}, {"blogs", 1}, {"dead", 0}};
  EXPECT_THAT(missing_topics(options(), facts), ElementsAre("docs", "dead"));
  EXPECT_EQ(missing_topic("docs"),
            "topic docs does not exist: create it, or start once with --create-topics");
}

TEST(StartRules, an_instance_with_a_partition_in_any_topic_may_run) {
  KafkaOptions fifth = options();
  fifth.instances = 6;
  fifth.instance = 4;
  EXPECT_EQ(no_partition(fifth, good()), std::nullopt);
  fifth.instance = 5;
  EXPECT_THAT(no_partition(fifth, good()).value_or(""),
              AllOf(HasSubstr("kafka.instance 5 of 6"), HasSubstr("has 5:")));
}

TEST(StartRules, instances_are_not_counted_against_partitions_that_nobody_knows) {
  StartFacts facts = good();
  facts.partitions = {{"docs", 0}};
  EXPECT_EQ(no_partition(options(), facts), std::nullopt);
}

TEST(StartRules, a_permission_is_named_with_who_needs_it) {
  KafkaOptions asking = options();
  EXPECT_EQ(missing_permission(asking, "READ", "topic docs"),
            "missing permission: READ on topic docs: grant it to the user of this service");
  asking.librdkafka["sasl.username"] = "app";
  EXPECT_EQ(missing_permission(asking, "READ", "group g"),
            "missing permission: READ on group g: grant it to User:app");
}

TEST(StartRules, a_user_name_out_of_a_secret_file_is_not_shown) {
  KafkaOptions asking = options();
  asking.secret_values["sasl.username"] = "app";
  EXPECT_THAT(missing_permission(asking, "READ", "group g"), Not(HasSubstr("app")));
}

TEST(StartRules, missing_inputs_are_made_as_the_brokers_like_it) {
  StartFacts facts = good();
  facts.partitions["blogs"] = 0;
  EXPECT_THAT(new_inputs(options(), facts),
              ElementsAre(AllOf(Field(&NewTopic::name, "blogs"), Field(&NewTopic::partitions, -1),
                                Field(&NewTopic::settings, IsEmpty()))));
}

TEST(StartRules, missing_outputs_follow_the_largest_input) {
  StartFacts facts = with_setting("blogs", "max.message.bytes", "5000000");
  facts.partitions["flags"] = 0;
  facts.partitions["dead"] = 0;
  const auto carries =
      ElementsAre(Pair("cleanup.policy", "delete"), Pair("compression.type", "producer"),
                  Pair("max.message.bytes", "6048576"));
  const auto made = [&](std::string_view name, const auto& settings) {
    return AllOf(Field(&NewTopic::name, name), Field(&NewTopic::partitions, 5),
                 Field(&NewTopic::settings, settings));
  };
  for (const OutputMode mode : {OutputMode::kAnnotate, OutputMode::kFilter}) {
    EXPECT_THAT(new_outputs(options(), mode, facts),
                ElementsAre(made("flags", carries), made("dead", carries)));
  }
  EXPECT_THAT(new_outputs(options(), OutputMode::kFlags, facts),
              ElementsAre(made("flags", ElementsAre(Pair("cleanup.policy", "delete"),
                                                    Pair("compression.type", "producer"))),
                          made("dead", carries)));
}

TEST(StartRules, a_new_topic_takes_no_more_bytes_than_kafka_can_say) {
  StartFacts facts = with_setting("docs", "max.message.bytes", "2147483647");
  facts.partitions["dead"] = 0;
  const auto made = new_outputs(options(), OutputMode::kFlags, facts);
  ASSERT_EQ(made.size(), 1);
  EXPECT_EQ(made[0].settings.at("max.message.bytes"), "2147483647");
}

TEST(StartRules, outputs_of_unknown_inputs_are_left_to_the_brokers) {
  StartFacts facts;
  facts.partitions = {{"flags", 0}};
  const auto made = new_outputs(options(), OutputMode::kAnnotate, facts);
  ASSERT_EQ(made.size(), 1);
  EXPECT_EQ(made[0].partitions, -1);
  EXPECT_FALSE(made[0].settings.contains("max.message.bytes"));
}

TEST(StartRules, flags_do_not_go_to_a_compacted_topic) {
  const StartFacts facts = with_setting("flags", "cleanup.policy", "compact,delete");
  EXPECT_THAT(findings(OutputMode::kFlags, facts).problems,
              ElementsAre(AllOf(HasSubstr("topic flags has cleanup.policy=compact,delete"),
                                HasSubstr("set it to delete"))));
  EXPECT_THAT(findings(OutputMode::kFilter, facts).problems, IsEmpty());
  EXPECT_THAT(findings(OutputMode::kFilter, facts).warnings,
              ElementsAre(HasSubstr("refuses messages without a key")));
}

TEST(StartRules, dead_letters_do_not_go_to_a_compacted_topic) {
  const StartFacts facts = with_setting("dead", "cleanup.policy", "compact");
  EXPECT_THAT(findings(OutputMode::kFilter, facts).problems,
              ElementsAre(HasSubstr("topic dead has cleanup.policy=compact")));
}

TEST(StartRules, a_compacted_input_is_worth_a_warning) {
  const StartFindings found =
      findings(OutputMode::kFlags, with_setting("blogs", "cleanup.policy", "compact"));
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.warnings, ElementsAre(HasSubstr("topic blogs is compacted")));
}

TEST(StartRules, an_output_that_forgets_before_its_input_is_worth_a_warning) {
  StartFacts facts = with_setting("docs", "retention.ms", "604800000");
  facts.topics["blogs"]["retention.ms"] = "86400000";
  facts.topics["flags"]["retention.ms"] = "604800000";
  EXPECT_THAT(findings(OutputMode::kFlags, facts).warnings, IsEmpty());
  facts.topics["flags"]["retention.ms"] = "604799999";
  EXPECT_THAT(findings(OutputMode::kFlags, facts).warnings,
              ElementsAre(AllOf(HasSubstr("topic flags has retention.ms=604799999"),
                                HasSubstr("input topic docs (604800000)"))));
  EXPECT_THAT(findings(OutputMode::kFilter, facts).warnings, IsEmpty());
  facts.topics["docs"]["retention.ms"] = "-1";
  facts.topics["blogs"]["retention.ms"] = "-1";
  EXPECT_THAT(findings(OutputMode::kFlags, facts).warnings,
              ElementsAre(HasSubstr("docs (without limit)")))
      << "once, whatever the number of inputs";
  facts.topics["flags"]["retention.ms"] = "-1";
  EXPECT_THAT(findings(OutputMode::kFlags, facts).warnings, IsEmpty());
}

TEST(StartRules, an_order_topic_is_looked_at_in_place_of_the_output) {
  KafkaOptions with_order = options();
  with_order.order_topic = "order";
  StartFacts facts = with_setting("docs", "retention.ms", "604800000");
  facts.topics["blogs"]["retention.ms"] = "86400000";
  facts.topics["flags"]["retention.ms"] = "1";
  facts.topics["order"] = {{"cleanup.policy", "delete"}, {"retention.ms", "604800000"}};
  for (const OutputMode mode : {OutputMode::kFlags, OutputMode::kAnnotate, OutputMode::kFilter}) {
    facts.topics["order"]["retention.ms"] = "604800000";
    EXPECT_THAT(check_settings(with_order, mode, facts).warnings, IsEmpty());
    facts.topics["order"]["retention.ms"] = "5";
    EXPECT_THAT(check_settings(with_order, mode, facts).warnings,
                ElementsAre(HasSubstr("topic order has retention.ms=5")));
  }
  facts.topics["order"]["cleanup.policy"] = "compact";
  EXPECT_THAT(check_settings(with_order, OutputMode::kFlags, facts).problems,
              ElementsAre(HasSubstr("topic order has cleanup.policy=compact")));
}

TEST(StartRules, missing_topics_that_tell_the_order_keep_as_long_as_the_inputs) {
  KafkaOptions with_order = options();
  with_order.order_topic = "order";
  StartFacts facts = with_setting("docs", "retention.ms", "604800000");
  facts.topics["blogs"]["retention.ms"] = "86400000";
  facts.partitions["flags"] = facts.partitions["dead"] = facts.partitions["order"] = 0;
  const auto kept = [&](OutputMode mode) {
    std::vector<std::string> times;
    for (const NewTopic& topic : new_outputs(with_order, mode, facts)) {
      const auto found = topic.settings.find("retention.ms");
      times.push_back(found == topic.settings.end() ? "" : found->second);
    }
    return times;
  };
  EXPECT_THAT(kept(OutputMode::kFlags), ElementsAre("604800000", "", "604800000"));
  EXPECT_THAT(kept(OutputMode::kFilter), ElementsAre("", "", "604800000"));
  facts.topics["blogs"]["retention.ms"] = "-1";
  EXPECT_THAT(kept(OutputMode::kFlags), ElementsAre("-1", "", "-1"));
  facts.topics["blogs"].erase("retention.ms");
  EXPECT_THAT(kept(OutputMode::kFlags), ElementsAre("", "", ""));
}

TEST(StartRules, batches_fit_into_both_outputs) {
  EXPECT_THAT(
      findings(OutputMode::kFlags, with_setting("flags", "max.message.bytes", "999999")).problems,
      ElementsAre(HasSubstr("topic flags has max.message.bytes=999999")));
  EXPECT_THAT(
      findings(OutputMode::kFlags, with_setting("dead", "max.message.bytes", "999999")).problems,
      ElementsAre(HasSubstr("topic dead has max.message.bytes=999999")));
  EXPECT_THAT(
      findings(OutputMode::kFlags, with_setting("flags", "max.message.bytes", "1000000")).problems,
      IsEmpty());
}

TEST(StartRules, messages_that_an_input_takes_and_the_output_does_not_are_warned_of) {
  const StartFacts facts = with_setting("docs", "max.message.bytes", "1048589");
  EXPECT_THAT(findings(OutputMode::kAnnotate, facts).warnings,
              ElementsAre(AllOf(HasSubstr("1048589"), HasSubstr("topic flags takes 1048588"))));
  EXPECT_THAT(findings(OutputMode::kFlags, facts).warnings, IsEmpty());
}

TEST(StartRules, a_transaction_may_not_take_longer_than_the_brokers_allow) {
  StartFacts facts = good();
  facts.producer["transaction.timeout.ms"] = "900000";
  EXPECT_THAT(findings(OutputMode::kFlags, facts).problems, IsEmpty());
  facts.producer["transaction.timeout.ms"] = "900001";
  EXPECT_THAT(findings(OutputMode::kFlags, facts).problems,
              ElementsAre(AllOf(HasSubstr("900001"), HasSubstr("900000"))));
  KafkaOptions without = options();
  without.guarantee = Guarantee::kAtLeastOnce;
  EXPECT_THAT(check_settings(without, OutputMode::kFlags, facts).problems, IsEmpty());
  facts.broker.reset();
  EXPECT_THAT(findings(OutputMode::kFlags, facts).problems, IsEmpty());
}

TEST(StartRules, topics_whose_settings_are_hidden_are_named_once) {
  StartFacts facts = good();
  facts.topics = {{"flags", facts.topics["flags"]}};
  facts.partitions["blogs"] = 0;
  EXPECT_THAT(findings(OutputMode::kFlags, facts).warnings,
              ElementsAre(HasSubstr("not permitted on topics docs, dead.")));
}

TEST(StartRules, a_message_has_to_pass_producer_and_topic) {
  StartFacts facts = with_setting("dead", "max.message.bytes", "7000000");
  facts.producer["message.max.bytes"] = "5000000";
  EXPECT_EQ(message_limits(options(), facts).output, 1048588);
  EXPECT_EQ(message_limits(options(), facts).dead_letter, 5000000);
  facts.topics.clear();
  EXPECT_EQ(message_limits(options(), facts).output, 5000000);
}

TEST(StartRules, problems_are_one_a_line) {
  EXPECT_EQ(to_text({"a", "b"}), "kafka: the service cannot start:\n- a\n- b");
}

}  // namespace
}  // namespace neardup::TEST_FILE
