#include "service/kafka/message/message_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "service/records/sha256.h"
#include "tests/unit/service/records/message_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kRule = "5f0c000000000001";
constexpr MessageLimits kAmple{.output = 1 << 20, .dead_letter = 1 << 20};

const TopicPartition& partition_of(std::uint32_t input) {
  static const std::vector<TopicPartition> table{{"other", 0}, {"docs", 7}};
  return table.at(input);
}

std::vector<OutgoingMessage> written(const AnswerMode& mode, const Flag& flag,
                                     const RawRecord* record, MessageLimits limits = kAmple,
                                     const TraceContext* trace = nullptr) {
  MessageWriter writer(mode, kRule, 800'000, limits, partition_of);
  std::vector<OutgoingMessage> out;
  writer.append(flag, record, trace, out);
  return out;
}

Flag flag_of(Status status) {
  Flag flag;
  flag.seq = 17;
  flag.status = status;
  flag.id = "a";
  flag.source = {.input = 1, .place = 41};
  return flag;
}

Flag rejected() {
  Flag flag = flag_of(Status::kRejected);
  flag.has_id = false;
  flag.id.clear();
  flag.reason = RejectReason::kInvalidJson;
  flag.detail = "no good";
  return flag;
}

Flag near_duplicate() {
  Flag flag = flag_of(Status::kNearDuplicate);
  flag.original = Original{.id = "o",
                           .seq = 9,
                           .verified_by = VerifiedBy::kSketch,
                           .similarity = 934'999,
                           .low = 901'000,
                           .high = 958'000,
                           .bands_hit = 7};
  return flag;
}

constexpr std::string_view kRejectedFlag =
    R"({"id":null,"seq":17,"status":"rejected","reason":"invalid_json","detail":"no good",)"
    R"("threshold":0.8,"rule":"5f0c000000000001",)"
    R"("source":{"topic":"docs","partition":7,"offset":41}})";
constexpr std::string_view kNearFlag =
    R"({"id":"a","seq":17,"status":"near_duplicate","duplicate_of":"o","duplicate_of_seq":9,)"
    R"("similarity":0.934,"similarity_low":0.901,"similarity_high":0.958,"verified_by":"sketch",)"
    R"("bands_hit":7,"threshold":0.8,"rule":"5f0c000000000001",)"
    R"("source":{"topic":"docs","partition":7,"offset":41}})";

using Headers = std::vector<MessageHeader>;

Headers dead_letter_headers() {
  return {{"neardup-reason", "invalid_json"}, {"neardup-detail", "no good"},
          {"neardup-topic", "docs"},          {"neardup-partition", "7"},
          {"neardup-offset", "41"},           {"neardup-seq", "17"}};
}

Headers joined(Headers first, const Headers& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// The bytes that a message is counted with, said a second time.
std::uint64_t counted(const OutgoingMessage& message) {
  std::uint64_t bytes = 100 + message.key.value_or("").size() + message.value.value_or("").size();
  for (const auto& [name, value] : message.headers)
    bytes += 12 + name.size() + value.value_or("").size();
  return bytes;
}

TEST(MessageWriter, a_flag_goes_out_as_one_message_with_its_id_as_key) {
  const auto out = written(OutputMode::kFlags, near_duplicate(), nullptr);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].destination, Destination::kOutput);
  EXPECT_EQ(out[0].key, "a");
  EXPECT_EQ(out[0].value, kNearFlag);
  EXPECT_EQ(out[0].headers, (Headers{{"neardup-status", "near_duplicate"}}));
  EXPECT_FALSE(out[0].ts_ms.has_value());
}

TEST(MessageWriter, flags_that_follow_each_other_do_not_mix) {
  MessageWriter writer(OutputMode::kFlags, kRule, 800'000, kAmple, partition_of);
  std::vector<OutgoingMessage> out;
  for (int i = 0; i < 2; ++i) writer.append(near_duplicate(), nullptr, nullptr, out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1].value, kNearFlag);
}

const TraceContext kTrace{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=1"};
const Headers kTraceHeaders{{"traceparent", kTrace.traceparent}, {"tracestate", "a=1"}};

TEST(MessageWriter, a_flag_has_the_trace_of_the_message_that_it_answers) {
  const auto out = written(OutputMode::kFlags, near_duplicate(), nullptr, kAmple, &kTrace);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].headers, joined({{"neardup-status", "near_duplicate"}}, kTraceHeaders));
}

TEST(MessageWriter, what_is_passed_on_has_its_trace_once) {
  const std::vector<RawHeader> headers = trace_headers(&kTrace);
  const TestMessage message("k", "{bad", headers);
  const auto flags = written(OutputMode::kFlags, rejected(), &message.raw, kAmple, &kTrace);
  EXPECT_EQ(flags.at(1).headers, joined(kTraceHeaders, dead_letter_headers()));
  const auto passed =
      written(OutputMode::kFilter, flag_of(Status::kUnique), &message.raw, kAmple, &kTrace);
  EXPECT_EQ(passed.at(0).headers, kTraceHeaders);
  const auto annotated =
      written(OutputMode::kAnnotate, flag_of(Status::kUnique), &message.raw, kAmple, &kTrace);
  EXPECT_EQ(annotated.at(0).headers.size(), kTraceHeaders.size() + 4);
}

TEST(MessageWriter, the_trace_of_a_message_that_is_gone_is_passed_on) {
  const auto flags = written(OutputMode::kFlags, rejected(), nullptr, kAmple, &kTrace);
  EXPECT_EQ(flags.at(0).headers, joined({{"neardup-status", "rejected"}}, kTraceHeaders));
  EXPECT_EQ(flags.at(1).headers, joined(kTraceHeaders, dead_letter_headers()));
  const auto deleted =
      written(OutputMode::kFilter, flag_of(Status::kDeleted), nullptr, kAmple, &kTrace);
  EXPECT_EQ(deleted.at(0).headers, kTraceHeaders);
}

TEST(MessageWriter, a_rejected_message_gives_a_flag_and_a_dead_letter) {
  const TestMessage message("k", "{bad", {{"x", "1"}, {"y", {}}});
  const auto out = written(OutputMode::kFlags, rejected(), &message.raw);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].destination, Destination::kOutput);
  EXPECT_FALSE(out[0].key.has_value());
  EXPECT_EQ(out[0].value, kRejectedFlag);
  EXPECT_EQ(out[1].destination, Destination::kDeadLetter);
  EXPECT_EQ(out[1].key, "k");
  EXPECT_EQ(out[1].value, "{bad");
  EXPECT_EQ(out[1].ts_ms, 1'700'000'000'000);
  EXPECT_EQ(out[1].headers, joined({{"x", "1"}, {"y", {}}}, dead_letter_headers()));
}

TEST(MessageWriter, where_others_write_dead_letters_a_rejected_message_gives_a_flag) {
  const AnswerMode mode(OutputMode::kFlags, false);
  EXPECT_FALSE(needs_record(mode, rejected()));
  EXPECT_TRUE(needs_record(OutputMode::kFlags, rejected()));
  const auto out = written(mode, rejected(), nullptr);
  ASSERT_EQ(out.size(), 1);
  EXPECT_EQ(out[0].destination, Destination::kOutput);
}

TEST(MessageWriter, a_dead_letter_of_a_dead_letter_says_everything_once) {
  const TestMessage message("k", "{bad",
                            {{"neardup-reason", "old"}, {"x", "1"}, {"neardup-sha256", "old"}});
  const auto out = written(OutputMode::kFilter, rejected(), &message.raw);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].headers, joined({{"x", "1"}}, dead_letter_headers()));
}

TEST(MessageWriter, a_null_value_stays_null_in_its_dead_letter) {
  const TestMessage message({}, {});
  const auto out = written(OutputMode::kFilter, rejected(), &message.raw);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_FALSE(out[0].key.has_value());
  EXPECT_FALSE(out[0].value.has_value());
  EXPECT_EQ(out[0].headers, dead_letter_headers());
  const TestMessage empty("k", "");
  EXPECT_EQ(written(OutputMode::kFilter, rejected(), &empty.raw).at(0).value, "");
}

TEST(MessageWriter, annotate_passes_the_message_on_with_its_flag_in_headers) {
  const TestMessage message("k", "v", {{"x", "1"}, {"neardup-namespace", "n"}, {"y", {}}});
  const auto out = written(OutputMode::kAnnotate, near_duplicate(), &message.raw);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].destination, Destination::kOutput);
  EXPECT_EQ(out[0].key, "k");
  EXPECT_EQ(out[0].value, "v");
  EXPECT_EQ(out[0].ts_ms, 1'700'000'000'000);
  EXPECT_EQ(out[0].headers, (Headers{{"x", "1"},
                                     {"neardup-namespace", "n"},
                                     {"y", {}},
                                     {"neardup-status", "near_duplicate"},
                                     {"neardup-seq", "17"},
                                     {"neardup-rule", std::string(kRule)},
                                     {"neardup-duplicate-of", "o"},
                                     {"neardup-duplicate-of-seq", "9"},
                                     {"neardup-similarity", "0.934"},
                                     {"neardup-flag", std::string(kNearFlag)}}));
}

TEST(MessageWriter, annotations_of_an_earlier_neardup_are_replaced) {
  std::vector<RawHeader> old;
  for (const char* name : {"status", "seq", "rule", "duplicate-of", "duplicate-of-seq",
                           "similarity", "flag", "other"}) {
    static std::map<std::string, std::string> names;
    old.push_back({names[name] = std::string("neardup-") + name, "old"});
  }
  const TestMessage message("k", "v", old);
  const auto out = written(OutputMode::kAnnotate, flag_of(Status::kUnique), &message.raw);
  ASSERT_EQ(out.size(), 1u);
  ASSERT_EQ(out[0].headers.size(), 5u);
  EXPECT_EQ(out[0].headers[0], (MessageHeader{"neardup-other", "old"}));
  EXPECT_EQ(out[0].headers[1], (MessageHeader{"neardup-status", "unique"}));
  EXPECT_EQ(out[0].headers[4].name, "neardup-flag");
}

TEST(MessageWriter, annotate_passes_nulls_and_rejected_messages_on) {
  const TestMessage tombstone("k", {});
  const auto deleted = written(OutputMode::kAnnotate, flag_of(Status::kDeleted), &tombstone.raw);
  ASSERT_EQ(deleted.size(), 1u);
  EXPECT_FALSE(deleted[0].value.has_value());
  const TestMessage bad("k", "{bad");
  const auto out = written(OutputMode::kAnnotate, rejected(), &bad.raw);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].value, "{bad");
  EXPECT_EQ(out[0].headers[0], (MessageHeader{"neardup-status", "rejected"}));
  EXPECT_EQ(out[1].destination, Destination::kDeadLetter);
}

TEST(MessageWriter, filter_passes_what_is_no_duplicate_on_unchanged) {
  const TestMessage message("k", "v", {{"x", {}}, {"neardup-status", "old"}});
  for (const Status status : {Status::kUnique, Status::kTooShort, Status::kEmpty}) {
    const auto out = written(OutputMode::kFilter, flag_of(status), &message.raw);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].destination, Destination::kOutput);
    EXPECT_EQ(out[0].key, "k");
    EXPECT_EQ(out[0].value, "v");
    EXPECT_EQ(out[0].headers, (Headers{{"x", {}}, {"neardup-status", "old"}}));
    EXPECT_EQ(out[0].ts_ms, 1'700'000'000'000);
  }
  Flag exact = near_duplicate();
  exact.status = Status::kExactDuplicate;
  for (const Flag& flag : {exact, near_duplicate(), flag_of(Status::kUnchanged)}) {
    EXPECT_THAT(written(OutputMode::kFilter, flag, nullptr), IsEmpty());
  }
}

TEST(MessageWriter, filter_passes_deletes_on_as_nulls) {
  const auto passed = [](std::optional<std::string_view> key, std::optional<std::string> value,
                         std::vector<RawHeader> headers, const char* name_space) {
    const TestMessage message(key, std::move(value), std::move(headers));
    Flag flag = flag_of(Status::kDeleted);
    flag.name_space = name_space;
    const auto out = written(OutputMode::kFilter, flag, &message.raw);
    EXPECT_EQ(out.size(), 1u);
    EXPECT_FALSE(out.at(0).value.has_value());
    EXPECT_EQ(out.at(0).ts_ms, 1'700'000'000'000);
    return out.at(0);
  };
  EXPECT_EQ(passed("k", {}, {}, "").key, "k");
  EXPECT_EQ(passed("k", {}, {{"x", "1"}}, "").headers, (Headers{{"x", "1"}}));
  EXPECT_EQ(passed({}, "{}", {}, "").key, "a");
  EXPECT_EQ(passed("k", "{}", {{"x", "1"}}, "n").headers,
            (Headers{{"x", "1"}, {"neardup-namespace", "n"}}));
  EXPECT_EQ(passed("k", {}, {{"neardup-namespace", "n"}}, "n").headers,
            (Headers{{"neardup-namespace", "n"}}));
  EXPECT_EQ(passed("k", "{}", {{"neardup-namespace", "m"}}, "n").headers.back(),
            (MessageHeader{"neardup-namespace", "n"}));
  EXPECT_EQ(passed("k", "{}", {{"neardup-namespace", "m"}}, "").headers.back(),
            (MessageHeader{"neardup-namespace", ""}));
}

TEST(MessageWriter, needs_the_record_exactly_where_it_is_used) {
  for (const Status status :
       {Status::kUnique, Status::kTooShort, Status::kEmpty, Status::kDeleted}) {
    EXPECT_FALSE(needs_record(OutputMode::kFlags, flag_of(status)));
    EXPECT_TRUE(needs_record(OutputMode::kAnnotate, flag_of(status)));
    EXPECT_TRUE(needs_record(OutputMode::kFilter, flag_of(status)));
  }
  for (const Status status :
       {Status::kExactDuplicate, Status::kNearDuplicate, Status::kUnchanged}) {
    EXPECT_FALSE(needs_record(OutputMode::kFlags, flag_of(status)));
    EXPECT_TRUE(needs_record(OutputMode::kAnnotate, flag_of(status)));
    EXPECT_FALSE(needs_record(OutputMode::kFilter, flag_of(status)));
  }
  for (const OutputMode mode : {OutputMode::kFlags, OutputMode::kAnnotate, OutputMode::kFilter}) {
    EXPECT_TRUE(needs_record(mode, rejected()));
  }
}

// The dead letter of a message with a key of 100 bytes, a value of 1 000 and a header of 200.
OutgoingMessage letter_within(std::uint64_t limit) {
  static const std::string key(100, 'k'), header(200, 'h');
  const TestMessage message(key, std::string(1000, 'v'), {{"x", header}, {"y", {}}});
  const auto out = written(OutputMode::kFilter, rejected(), &message.raw,
                           {.output = 1 << 20, .dead_letter = limit});
  EXPECT_EQ(out.size(), 1u);
  return out.at(0);
}

TEST(MessageWriter, a_dead_letter_that_just_fits_is_whole) {
  const OutgoingMessage whole = letter_within(1 << 20);
  ASSERT_TRUE(whole.value.has_value());
  EXPECT_EQ(letter_within(counted(whole)).value, whole.value);
  EXPECT_FALSE(letter_within(counted(whole) - 1).value.has_value());
}

TEST(MessageWriter, a_dead_letter_that_is_too_large_goes_by_reference) {
  const OutgoingMessage letter = letter_within(1200);
  EXPECT_FALSE(letter.value.has_value());
  EXPECT_EQ(letter.key, std::string(100, 'k'));
  EXPECT_EQ(
      letter.headers,
      joined(joined({{"x", std::string(200, 'h')}, {"y", {}}}, dead_letter_headers()),
             {{"neardup-size", "1000"}, {"neardup-sha256", sha256_hex(std::string(1000, 'v'))}}));
  EXPECT_LE(counted(letter), 1200u);
}

TEST(MessageWriter, headers_and_then_the_key_are_dropped_where_they_must_be) {
  const OutgoingMessage letter = letter_within(1200);
  const OutgoingMessage bare = letter_within(counted(letter) - 1);
  EXPECT_EQ(bare.key, letter.key);
  EXPECT_EQ(bare.headers[0].name, "neardup-reason");
  EXPECT_EQ(bare.headers.back(), (MessageHeader{"neardup-headers-dropped", "2"}));
  const OutgoingMessage nameless = letter_within(counted(bare) - 1);
  EXPECT_FALSE(nameless.key.has_value());
  EXPECT_EQ(nameless.headers.back(), (MessageHeader{"neardup-key-dropped", "100"}));
}

TEST(MessageWriter, what_was_not_there_is_not_said_to_be_dropped) {
  const TestMessage message({}, std::string(1000, 'v'));
  const auto out = written(OutputMode::kFilter, rejected(), &message.raw, {1 << 20, 10});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].headers.back().name, "neardup-sha256");
}

TEST(MessageWriter, a_value_that_was_left_out_is_only_named) {
  TestMessage message("k", "");
  message.raw.too_large = true;
  message.raw.size = 123'456'789;
  Flag flag = rejected();
  for (const OutputMode mode : {OutputMode::kAnnotate, OutputMode::kFilter}) {
    const auto out = written(mode, flag, &message.raw);
    ASSERT_EQ(out.size(), 1u);  // there is nothing to pass on
    EXPECT_EQ(out[0].destination, Destination::kDeadLetter);
    EXPECT_FALSE(out[0].value.has_value());
    EXPECT_EQ(out[0].headers, joined(dead_letter_headers(), {{"neardup-size", "123456789"}}));
  }
}

TEST(MessageWriter, a_value_too_large_to_decode_that_is_there_is_kept) {
  TestMessage message("k", std::string(500, 'v'));
  message.raw.too_large = true;
  const auto out = written(OutputMode::kFilter, rejected(), &message.raw);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].value, std::string(500, 'v'));
}

TEST(MessageWriter, what_is_too_large_to_pass_on_becomes_a_dead_letter_by_reference) {
  const TestMessage message("k", std::string(1000, 'v'), {{"x", "1"}});
  for (const OutputMode mode : {OutputMode::kAnnotate, OutputMode::kFilter}) {
    const auto whole = written(mode, flag_of(Status::kUnique), &message.raw);
    const std::uint64_t bytes = counted(whole.at(0));
    EXPECT_EQ(
        written(mode, flag_of(Status::kUnique), &message.raw, {bytes, 1 << 20}).at(0).destination,
        Destination::kOutput);
    const auto out = written(mode, flag_of(Status::kUnique), &message.raw, {bytes - 1, 1 << 20});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].destination, Destination::kDeadLetter);
    EXPECT_EQ(out[0].key, "k");
    EXPECT_FALSE(out[0].value.has_value());
    ASSERT_EQ(out[0].headers.size(), 9u);
    EXPECT_EQ(out[0].headers[1], (MessageHeader{"neardup-reason", "too_large_to_pass_on"}));
    EXPECT_THAT(out[0].headers[2].value.value_or(""), HasSubstr("message.max.bytes"));
    EXPECT_EQ(out[0].headers[7], (MessageHeader{"neardup-size", "1000"}));
  }
}

TEST(MessageWriter, a_rejected_message_too_large_to_pass_on_has_one_dead_letter) {
  const TestMessage message("k", std::string(1000, 'v'));
  const auto out = written(OutputMode::kAnnotate, rejected(), &message.raw, {500, 1 << 20});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].headers[0], (MessageHeader{"neardup-reason", "invalid_json"}));
  EXPECT_EQ(out[0].value, std::string(1000, 'v'));
}

TEST(MessageSources, name_partitions_that_came_later) {
  std::vector<TopicPartition> table{{"docs", 0}};
  const SourceFormat format = message_sources(
      [&table](std::uint32_t input) -> const TopicPartition& { return table.at(input); });
  table.push_back({"a\"b", 12});
  std::string out;
  format({.input = 1, .place = 5'000'000'000}, out);
  EXPECT_EQ(out, R"({"topic":"a\"b","partition":12,"offset":5000000000})");
}

TEST(Sha256, gives_the_digests_of_fips_180) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace neardup::TEST_FILE
