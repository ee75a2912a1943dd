#include "service/kafka/message/message_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "pipeline/base/utf8.h"
#include "tests/unit/service/records/message_support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

const InputOptions kRawText{.format = InputFormat::kRaw};

struct Decoded {
  Record record;
  std::string text;
};

Decoded decode(const RawRecord& raw, const InputOptions& input = {},
               const TextOptions& options = {}) {
  MessageDecoder decoder(input, options);
  std::string_view text = "left over";
  Decoded decoded{.record = decoder.decode(raw, text), .text = {}};
  decoded.text = text;
  return decoded;
}

RawHeader name_space(std::optional<std::string_view> name) { return {"neardup-namespace", name}; }

void expect_rejected(const Record& record, RejectReason reason, const char* word) {
  EXPECT_EQ(record.kind, RecordKind::kRejected);
  EXPECT_EQ(name(record.reason), name(reason));
  EXPECT_THAT(record.detail, HasSubstr(word));
}

TEST(MessageDecoder, a_null_value_deletes_the_id_of_the_key) {
  for (const InputOptions& input : {InputOptions{}, kRawText}) {
    const TestMessage message("a", {}, {name_space("news")});
    const Decoded d = decode(message.raw, input);
    EXPECT_EQ(d.record.kind, RecordKind::kDelete);
    EXPECT_TRUE(d.record.has_id);
    EXPECT_EQ(d.record.id, "a");
    EXPECT_EQ(d.record.name_space, "news");
    EXPECT_EQ(d.record.source, (SourcePosition{1, 41}));
    EXPECT_EQ(d.record.ts_ms, 1'700'000'000'000);
    EXPECT_EQ(d.text, "");
  }
}

TEST(MessageDecoder, the_last_namespace_header_counts_and_null_is_the_default_one) {
  const auto of = [](std::vector<RawHeader> headers) {
    return decode(TestMessage("a", {}, std::move(headers)).raw).record.name_space;
  };
  EXPECT_EQ(of({name_space("first"), name_space("last"), {"other", "x"}}), "last");
  EXPECT_EQ(of({name_space("first"), name_space({})}), "");
  EXPECT_EQ(of({{"Neardup-Namespace", "x"}}), "");
  EXPECT_EQ(of({name_space("")}), "");
}

TEST(MessageDecoder, a_null_value_without_a_key_is_rejected) {
  const TestMessage message({}, {});
  expect_rejected(decode(message.raw).record, RejectReason::kMissingId, "key");
  EXPECT_FALSE(decode(message.raw).record.has_id);
}

TEST(MessageDecoder, a_key_that_cannot_be_an_id_is_rejected) {
  for (const std::string& key : {""s, std::string(1025, 'k'), "caf\xe9"s, "\xed\xa0\x80"s}) {
    const TestMessage tombstone(key, {}), raw(key, "some text"), json(key, R"({"text":"b"})");
    for (const Record& record : {decode(tombstone.raw).record, decode(raw.raw, kRawText).record,
                                 decode(json.raw).record}) {
      expect_rejected(record, RejectReason::kInvalidId, "the message key");
      EXPECT_FALSE(record.has_id);
    }
  }
  const std::string longest(1024, 'k');
  EXPECT_EQ(decode(TestMessage(longest, "x").raw, kRawText).record.id, longest);
}

TEST(MessageDecoder, a_namespace_that_cannot_be_one_is_rejected_and_the_id_kept) {
  const std::string longest(1025, 'n');
  for (const std::string_view bad : {std::string_view(longest), std::string_view("\xff")}) {
    const TestMessage tombstone("a", {}, {name_space(bad)}), raw("a", "text", {name_space(bad)});
    for (const Record& record : {decode(tombstone.raw).record, decode(raw.raw, kRawText).record}) {
      expect_rejected(record, RejectReason::kInvalidId, "neardup-namespace");
      EXPECT_EQ(record.id, "a");
      EXPECT_EQ(record.name_space, "");
    }
  }
}

TEST(MessageDecoder, json_has_its_own_id_and_namespace) {
  const TestMessage message("key", R"({"id":"a","namespace":"n","text":"b"})", {name_space("h")});
  const Decoded d = decode(message.raw);
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.record.id, "a");
  EXPECT_EQ(d.record.name_space, "n");
  EXPECT_EQ(d.text, "b");
}

TEST(MessageDecoder, the_key_is_the_id_of_json_without_one) {
  const Decoded d = decode(TestMessage("key", R"({"text":"b"})").raw);
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.record.id, "key");
  EXPECT_EQ(d.text, "b");
  EXPECT_EQ(decode(TestMessage("key", R"({"delete":true})").raw).record.kind, RecordKind::kDelete);
  expect_rejected(decode(TestMessage({}, R"({"text":"b"})").raw).record, RejectReason::kMissingId,
                  "/id");
}

TEST(MessageDecoder, an_id_that_is_there_and_wrong_stays_an_error) {
  for (const char* id : {"null", "7", "\"\"", "[\"a\"]"}) {
    const std::string json = R"({"text":"b","id":)"s + id + "}";
    const Record record = decode(TestMessage("key", json).raw).record;
    expect_rejected(record, RejectReason::kInvalidId, "/id");
    EXPECT_FALSE(record.has_id) << id;
  }
}

TEST(MessageDecoder, the_key_names_no_json_whose_own_id_may_be_hidden) {
  for (const char* json : {R"({"text":"b)", R"({"id":"a","id":"b","text":"c"})", "text", ""}) {
    const Record record = decode(TestMessage("key", json).raw).record;
    EXPECT_EQ(record.kind, RecordKind::kRejected);
    EXPECT_FALSE(record.has_id) << json;
  }
}

TEST(MessageDecoder, a_raw_value_is_the_text) {
  const Decoded d = decode(TestMessage("a", "{not json", {name_space("n")}).raw, kRawText);
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.record.id, "a");
  EXPECT_EQ(d.record.name_space, "n");
  EXPECT_EQ(d.text, "{not json");
  expect_rejected(decode(TestMessage({}, "text").raw, kRawText).record, RejectReason::kMissingId,
                  "key");
}

TEST(MessageDecoder, counts_a_text_only_where_flags_have_its_length) {
  const TestMessage raw("a", "Two words"), json("a", R"({"text":"Two words"})");
  std::string_view text;
  for (const auto& [message, format] :
       {std::pair(&raw, InputFormat::kRaw), std::pair(&json, InputFormat::kJson)}) {
    MessageDecoder counting({.format = format}, {}, {.fields = {"text_bytes"}});
    EXPECT_EQ(counting.decode(message->raw, text).text_bytes, 9);
    EXPECT_EQ(decode(message->raw, {.format = format}).record.text_bytes, 0);
  }
}

TEST(MessageDecoder, an_empty_raw_value_is_an_empty_text) {
  const Decoded d = decode(TestMessage("a", "").raw, kRawText);
  EXPECT_EQ(d.record.kind, RecordKind::kDocument);
  EXPECT_EQ(d.text, "");
}

TEST(MessageDecoder, invalid_utf8_in_a_raw_text_follows_the_policy) {
  const TestMessage message("a", "one \xff two \xc3");
  MessageDecoder decoder(kRawText, {});
  std::string_view text;
  const Record record = decoder.decode(message.raw, text);
  EXPECT_EQ(record.kind, RecordKind::kDocument);
  EXPECT_TRUE(record.notices.has(NoticeKind::kReplacedBytes));
  EXPECT_EQ(text, "one \xef\xbf\xbd two \xef\xbf\xbd");
  const Decoded d = decode(message.raw, kRawText, {.invalid_utf8 = InvalidUtf8::kReject});
  expect_rejected(d.record, RejectReason::kInvalidUtf8, "text.invalid_utf8");
  EXPECT_EQ(d.record.id, "a");
  EXPECT_EQ(d.text, "");
}

TEST(MessageDecoder, a_raw_text_has_a_largest_size) {
  const TextOptions ten{.max_bytes = 10};
  EXPECT_EQ(decode(TestMessage("a", "0123456789").raw, kRawText, ten).text, "0123456789");
  const Decoded d = decode(TestMessage("a", "0123456789x").raw, kRawText, ten);
  expect_rejected(d.record, RejectReason::kTextTooLarge, "text.max_bytes");
  EXPECT_EQ(d.record.id, "a");
  EXPECT_EQ(d.text, "");
}

TEST(MessageDecoder, a_record_too_large_keeps_the_id_of_its_key_when_raw) {
  TestMessage message("a", "", {name_space("n")});
  message.raw.too_large = true;
  message.raw.size = 123'456'789;
  const Record raw = decode(message.raw, kRawText).record;
  expect_rejected(raw, RejectReason::kRecordTooLarge, "123456789");
  EXPECT_EQ(raw.id, "a");
  EXPECT_EQ(raw.name_space, "n");
  const Record json = decode(message.raw).record;
  expect_rejected(json, RejectReason::kRecordTooLarge, "123456789");
  EXPECT_FALSE(json.has_id);
  message.raw.key = "\xff";
  expect_rejected(decode(message.raw, kRawText).record, RejectReason::kRecordTooLarge, "123456789");
}

TEST(MessageDecoder, a_record_without_a_time_has_that_of_the_message) {
  TestMessage without("a", R"({"id":"a","text":"b","ts":"never"})");
  EXPECT_EQ(decode(without.raw).record.ts_ms, 1'700'000'000'000);
  EXPECT_EQ(decode(without.raw, kRawText).record.ts_ms, 1'700'000'000'000);
  EXPECT_EQ(decode(TestMessage("a", R"({"id":"a","text":"b","ts":5})").raw).record.ts_ms, 5000);
  without.raw.ts_ms = 0;
  EXPECT_EQ(decode(without.raw).record.ts_ms, 0);
  for (const std::optional<std::int64_t> none : {std::optional<std::int64_t>(-1), {}}) {
    without.raw.ts_ms = none;
    EXPECT_FALSE(decode(without.raw).record.ts_ms.has_value());
  }
}

TEST(MessageDecoder, any_bytes_become_a_record_of_valid_names_and_text) {
  std::mt19937 random(20261204);
  const auto bytes = [&random] {
    std::string some(random() % 40, '\0');
    for (char& c : some) c = "{}[]\",:\\idtex\xc3\xa4\xff\x80\0 "[random() % 20];
    return some;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = bytes(), name = bytes();
    const TestMessage message(key, bytes(), {name_space(name)});
    for (const InputOptions& input : {InputOptions{}, kRawText}) {
      const Decoded d = decode(message.raw, input);
      ASSERT_EQ(d.record.kind == RecordKind::kRejected, !d.record.detail.empty());
      ASSERT_TRUE(d.record.kind == RecordKind::kRejected || d.record.has_id);
      ASSERT_TRUE(d.record.kind == RecordKind::kDocument || d.text.empty());
      ASSERT_TRUE(valid_utf8(d.record.id) && valid_utf8(d.record.name_space) && valid_utf8(d.text));
    }
  }
}

const InputOptions kFramed{.frame = InputFrame::kConfluent};

TEST(MessageDecoder, the_frame_of_a_schema_registry_is_skipped) {
  const std::string frame("\0\0\0\1\2", 5);
  const TestMessage message("a", frame + R"({"text":"b"})", {});
  const Decoded d = decode(message.raw, kFramed);
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.record.id, "a");
  EXPECT_EQ(d.text, "b");
  EXPECT_TRUE(d.record.notices.empty());
  const TestMessage whole("a", frame + "a text", {});
  EXPECT_EQ(decode(whole.raw, {.format = InputFormat::kRaw, .frame = InputFrame::kConfluent}).text,
            "a text");
  EXPECT_EQ(decode(TestMessage("a", {}, {}).raw, kFramed).record.kind, RecordKind::kDelete);
}

TEST(MessageDecoder, a_value_without_the_frame_is_rejected_and_keeps_its_id) {
  const TestMessage message("key", R"({"id":"a","text":"b"})", {});
  const Decoded d = decode(message.raw, kFramed);
  expect_rejected(d.record, RejectReason::kInvalidJson, "input.frame");
  EXPECT_EQ(d.record.id, "a");
  EXPECT_EQ(d.text, "");
  EXPECT_TRUE(d.record.notices.has(NoticeKind::kSchemaFrame));
}

TEST(MessageDecoder, the_time_of_the_message_takes_the_place_of_one_that_cannot_be_read) {
  const TestMessage message("a", R"({"text":"b","ts":"1711843200"})", {});
  const Decoded d = decode(message.raw);
  EXPECT_EQ(d.record.ts_ms, 1'700'000'000'000);
  EXPECT_TRUE(d.record.notices.has(NoticeKind::kUnreadTime));
}

}  // namespace
}  // namespace neardup::TEST_FILE
