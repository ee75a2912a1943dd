#include "service/records/record_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"

namespace neardup::TEST_FILE {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

struct Decoded {
  Record record;
  std::string text;
};

Decoded decode_with(RecordDecoder& decoder, const std::string& json, char padding = '\0') {
  const std::string padded = json + std::string(kTextPadding, padding);
  std::string_view text;
  const RawRecord raw{.bytes = std::string_view(padded).substr(0, json.size()),
                      .source = {2, 7},
                      .size = json.size()};
  Decoded decoded{.record = decoder.decode(raw, text), .text = {}};
  decoded.text = text;
  return decoded;
}

Decoded decode(const std::string& json, const InputOptions& input = {},
               const TextOptions& options = {}) {
  RecordDecoder decoder(input, options);
  return decode_with(decoder, json);
}

RejectReason reason_of(const std::string& json) {
  const Decoded decoded = decode(json);
  EXPECT_EQ(decoded.record.kind == RecordKind::kRejected,
            decoded.record.reason != RejectReason::kNone);
  EXPECT_EQ(decoded.record.detail.empty(), decoded.record.kind != RecordKind::kRejected);
  return decoded.record.reason;
}

std::string with(const std::string& members) { return R"({"id":"a","text":"b")" + members + "}"; }

// As with output.fields: [url].
Decoded decode_with_url(const std::string& json, const InputOptions& input = {}) {
  RecordDecoder decoder(input, {}, {.fields = {"url"}});
  return decode_with(decoder, json);
}

TEST(RecordDecoder, reads_the_url_only_where_flags_have_it) {
  const std::string json = with(R"(,"url":"http:\/\/x/é")");
  EXPECT_EQ(decode_with_url(json).record.url, "http://x/é");
  EXPECT_EQ(decode(json).record.url, "");
  EXPECT_EQ(decode_with_url(with(R"(,"page":{"at":"u"})"), {.url_field = "/page/at"}).record.url,
            "u");
  EXPECT_EQ(decode_with_url(R"({"id":"a","delete":true,"url":"u"})").record.url, "u");
}

TEST(RecordDecoder, the_url_may_be_another_field_too) {
  const Decoded d = decode_with_url(R"({"url":"http://x/","text":"b"})", {.id_field = "/url"});
  EXPECT_EQ(d.record.id, "http://x/");
  EXPECT_EQ(d.record.url, "http://x/");
}

TEST(RecordDecoder, a_url_that_is_none_counts_as_missing) {
  for (const std::string& value : std::vector<std::string>{
           "null", "7", "true", "{}", "[\"u\"]", "\"\"", "\"" + std::string(8193, 'u') + "\""}) {
    const Decoded d = decode_with_url(with(",\"url\":" + value));
    EXPECT_EQ(d.record.kind, RecordKind::kDocument) << value;
    EXPECT_EQ(d.record.url, "") << value;
  }
  EXPECT_EQ(decode_with_url(with(",\"url\":\"" + std::string(8192, 'u') + "\"")).record.url.size(),
            8192);
}

TEST(RecordDecoder, a_url_that_is_read_is_validated) {
  const std::string half = with(R"(,"url":"\ud800")");
  EXPECT_EQ(decode_with_url(half).record.reason, RejectReason::kInvalidEscape);
  EXPECT_THAT(decode_with_url(half).record.detail, HasSubstr("/url"));
  EXPECT_EQ(decode(half).record.kind, RecordKind::kDocument);
  const std::string twice = with(R"(,"url":"a","url":"b")");
  EXPECT_EQ(decode_with_url(twice).record.reason, RejectReason::kDuplicateField);
  EXPECT_EQ(decode(twice).record.kind, RecordKind::kDocument);
}

TEST(RecordDecoder, counts_the_text_only_where_flags_have_its_length) {
  RecordDecoder counting({}, {.max_bytes = 8}, {.fields = {"text_bytes"}});
  const std::string json = R"({"id":"a","text":"\u00e9 B"})";
  EXPECT_EQ(decode_with(counting, json).record.text_bytes, 4);
  EXPECT_EQ(decode(json).record.text_bytes, 0);
  for (const char* without :
       {R"({"id":"a","text":""})", R"({"id":"a","text":5})", R"({"id":"a","text":"123456789"})",
        R"({"id":"a","text":"b","delete":true})"}) {
    EXPECT_EQ(decode_with(counting, without).record.text_bytes, 0) << without;
  }
}

TEST(RecordDecoder, reads_a_whole_record) {
  const Decoded d = decode(
      R"( {"url":"http://x/","id":"a1","namespace":"news","ts":1700000000,"text":"Hello, world"} )");
  EXPECT_EQ(d.record.kind, RecordKind::kDocument);
  EXPECT_TRUE(d.record.has_id);
  EXPECT_EQ(d.record.id, "a1");
  EXPECT_EQ(d.record.name_space, "news");
  EXPECT_EQ(d.record.ts_ms, 1'700'000'000'000);
  EXPECT_EQ(d.text, "Hello, world");
  EXPECT_EQ(d.record.source, (SourcePosition{2, 7}));
}

TEST(RecordDecoder, unescapes_every_escape) {
  EXPECT_EQ(
      decode(R"({"id":"\u0041\/","text":"\"\\\/\b\f\n\r\t\u00e4\u20AC\ud83d\ude00\u0000."})").text,
      "\"\\/\b\f\n\r\tä€😀\0."s);
  EXPECT_EQ(decode(R"({"id":"\u0041\/","text":""})").record.id, "A/");
}

TEST(RecordDecoder, an_escaped_field_name_is_the_same_field) {
  EXPECT_EQ(decode(R"({"\u0069d":"x","te\u0078t":"y"})").text, "y");
  EXPECT_EQ(reason_of(R"({"\u0069d":"x","id":"x","text":"y"})"), RejectReason::kDuplicateField);
  EXPECT_EQ(reason_of(with(R"(,"\ud800":1)")), RejectReason::kNone);
}

TEST(RecordDecoder, fields_can_be_mapped_by_json_pointers) {
  const InputOptions input{.id_field = "/meta/a~1b~0c",
                           .text_field = "/page/body",
                           .namespace_field = "/tags/1",
                           .timestamp_field = "/meta/when"};
  const Decoded d = decode(
      R"({"id":5,"meta":{"x":[1,{}],"a/b~c":"one","when":1},"tags":["p","q",["r"]],"page":{"body":"two"}})",
      input);
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.record.id, "one");
  EXPECT_EQ(d.record.name_space, "q");
  EXPECT_EQ(d.record.ts_ms, 1000);
  EXPECT_EQ(d.text, "two");
}

TEST(RecordDecoder, a_scalar_where_a_pointer_goes_through_is_a_missing_field) {
  const InputOptions input{.text_field = "/page/body"};
  EXPECT_EQ(decode(R"({"id":"a","page":"body"})", input).record.reason, RejectReason::kMissingText);
  EXPECT_EQ(decode(R"({"id":"a","page":[{"body":"x"}]})", input).record.reason,
            RejectReason::kMissingText);
}

TEST(RecordDecoder, refuses_a_field_that_is_no_pointer) {
  for (const char* pointer : {"id", "", "/a~2", "/a~"}) {
    EXPECT_THROW(RecordDecoder(InputOptions{.id_field = pointer}, {}), Failure) << pointer;
  }
}

TEST(RecordDecoder, id_and_text_are_required_strings) {
  EXPECT_EQ(reason_of(R"({"text":"b"})"), RejectReason::kMissingId);
  EXPECT_EQ(reason_of(R"({"id":7,"text":"b"})"), RejectReason::kInvalidId);
  EXPECT_EQ(reason_of(R"({"id":null,"text":"b"})"), RejectReason::kInvalidId);
  EXPECT_EQ(reason_of(R"({"id":["a"],"text":"b"})"), RejectReason::kInvalidId);
  EXPECT_EQ(reason_of(R"({"id":"","text":"b"})"), RejectReason::kInvalidId);
  EXPECT_EQ(reason_of(R"({"id":"a"})"), RejectReason::kMissingText);
  EXPECT_EQ(reason_of(R"({"id":"a","text":{"x":"b"}})"), RejectReason::kInvalidText);
  EXPECT_EQ(reason_of(R"({"id":"a","text":null})"), RejectReason::kInvalidText);
  EXPECT_EQ(reason_of(R"({"id":"a","text":""})"), RejectReason::kNone);
  EXPECT_EQ(reason_of("{}"), RejectReason::kMissingId);
}

TEST(RecordDecoder, an_id_has_at_most_1024_bytes) {
  EXPECT_EQ(reason_of(R"({"text":"b","id":")" + std::string(1024, 'x') + "\"}"),
            RejectReason::kNone);
  EXPECT_EQ(reason_of(R"({"text":"b","id":")" + std::string(1025, 'x') + "\"}"),
            RejectReason::kInvalidId);
}

TEST(RecordDecoder, the_namespace_is_a_string_or_not_there) {
  EXPECT_EQ(reason_of(with(R"(,"namespace":null)")), RejectReason::kNone);
  EXPECT_EQ(reason_of(with(R"(,"namespace":3)")), RejectReason::kInvalidId);
  EXPECT_EQ(reason_of(with(R"(,"namespace":")" + std::string(1025, 'x') + "\"")),
            RejectReason::kInvalidId);
  EXPECT_THAT(decode(with(R"(,"namespace":3)")).record.detail, HasSubstr("namespace"));
}

TEST(RecordDecoder, delete_true_deletes_without_a_text) {
  const Decoded d = decode(R"({"delete":true,"namespace":"n","id":"a"})");
  EXPECT_EQ(d.record.kind, RecordKind::kDelete);
  EXPECT_EQ(d.record.name_space, "n");
  EXPECT_EQ(decode(with(R"(,"delete":true)")).record.kind, RecordKind::kDelete);
  for (const char* value : {"false", "null", "1", "\"true\"", "{}"}) {
    EXPECT_EQ(decode(with(R"(,"delete":)"s + value)).record.kind, RecordKind::kDocument) << value;
  }
  EXPECT_EQ(reason_of(R"({"delete":true})"), RejectReason::kMissingId);
}

TEST(RecordDecoder, a_rejected_record_keeps_an_id_that_could_be_read) {
  const Record record = decode(R"({"id":"a","namespace":"n"})").record;
  EXPECT_TRUE(record.has_id);
  EXPECT_EQ(record.id, "a");
  EXPECT_EQ(record.name_space, "n");
  EXPECT_TRUE(decode(with(R"(,"x":[}])")).record.has_id);
  EXPECT_FALSE(decode(R"({"id":5,"text":"b"})").record.has_id);
  EXPECT_FALSE(decode(R"({"id":"a","id":"a","text":"b"})").record.has_id);
}

TEST(RecordDecoder, a_field_on_the_way_to_one_that_is_read_must_not_stand_twice) {
  EXPECT_EQ(reason_of(R"({"id":"a","text":"b","text":"b"})"), RejectReason::kDuplicateField);
  EXPECT_EQ(reason_of(with(R"(,"ts":1,"ts":1)")), RejectReason::kDuplicateField);
  EXPECT_EQ(reason_of(with(R"(,"delete":false,"delete":true)")), RejectReason::kDuplicateField);
  EXPECT_EQ(reason_of(with(R"(,"other":1,"other":2,"sub":{"id":"x","text":1})")),
            RejectReason::kNone);
  const InputOptions input{.text_field = "/page/body"};
  EXPECT_EQ(decode(R"({"id":"a","page":{"body":"b"},"page":{}})", input).record.reason,
            RejectReason::kDuplicateField);
  EXPECT_EQ(decode(R"({"id":"a","page":{"body":"b"}})", input).text, "b");
}

TEST(RecordDecoder, an_invalid_escape_in_a_field_that_is_read_rejects) {
  const TextOptions strict{.invalid_utf8 = InvalidUtf8::kReject};
  for (const char* bad : {"\\x", "\\ud800", "\\ud800x", "\\udc00", "\\ud800\\ud800", "\\ud800\\n",
                          "\\u12g4", "\\u12", "\\udfff\\ud800"}) {
    EXPECT_EQ(decode(R"({"id":"a","text":")"s + bad + "\"}", {}, strict).record.reason,
              RejectReason::kInvalidEscape)
        << bad;
    EXPECT_EQ(reason_of(R"({"text":"a","id":")"s + bad + "\"}"), RejectReason::kInvalidEscape)
        << bad;
    EXPECT_EQ(reason_of(with(R"(,"ts":")"s + bad + "\"")), RejectReason::kInvalidEscape) << bad;
    EXPECT_EQ(reason_of(with(R"(,"other":")"s + bad + "\"")), RejectReason::kNone) << bad;
  }
}

TEST(RecordDecoder, half_of_a_pair_in_the_text_is_replaced_as_broken_bytes_are) {
  const Decoded d = decode(R"({"id":"a","text":"one \ud83d"})");
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.text, "one \uFFFD");
  EXPECT_TRUE(d.record.notices.has(NoticeKind::kHalfSurrogate));
  EXPECT_FALSE(d.record.notices.has(NoticeKind::kReplacedBytes));
  EXPECT_TRUE(decode(R"({"id":"a","text":"\ud83d\udca9"})").record.notices.empty());
  EXPECT_EQ(reason_of(R"({"id":"a","text":"\x"})"), RejectReason::kInvalidEscape);
}

TEST(RecordDecoder, a_time_that_is_there_and_cannot_be_read_is_noticed) {
  for (const char* ts : {R"("1711843200")", R"("yesterday")", "1e300", "true", "[1]", R"("")"}) {
    EXPECT_TRUE(decode(with(",\"ts\":"s + ts)).record.notices.has(NoticeKind::kUnreadTime)) << ts;
  }
  for (const char* ts : {"1711843200", R"("2024-01-01T00:00:00Z")", "null"}) {
    EXPECT_TRUE(decode(with(",\"ts\":"s + ts)).record.notices.empty()) << ts;
  }
  EXPECT_TRUE(decode(with("")).record.notices.empty());
}

TEST(RecordDecoder, a_record_in_another_form_is_named) {
  const auto named = [](const std::string& bytes, NoticeKind kind, const char* word) {
    const Record record = decode(bytes).record;
    EXPECT_EQ(record.reason, RejectReason::kInvalidJson) << word;
    EXPECT_TRUE(record.notices.has(kind)) << word;
    EXPECT_THAT(record.detail, HasSubstr(word));
  };
  named("\xff\xfe{\0\"\0"s, NoticeKind::kUtf16, "iconv -f UTF-16 -t UTF-8");
  named("\0{\0\"\0i"s, NoticeKind::kUtf16, "iconv");
  named("\0\0\0\0\7{\"id\":\"a\",\"text\":\"b\"}"s, NoticeKind::kSchemaFrame, "(schema 7)");
  named(R"([{"id":"a","text":"b"}])", NoticeKind::kJsonArray, "jq -c '.[]'");
  named(" [", NoticeKind::kJsonArray, "jq -c '.[]'");
  EXPECT_TRUE(decode("{").record.notices.empty());
}

TEST(RecordDecoder, broken_structure_rejects) {
  const std::vector<std::string> broken = {"",
                                           "garbage",
                                           "\x01",
                                           "{",
                                           "}",
                                           "[",
                                           "\"",
                                           "{\"id\"",
                                           R"({"id":"a","text":"b")",
                                           R"({"id":"a","text":"b"}})",
                                           R"({"id":"a","text":"b"} x)",
                                           R"({"id":"a","text":"b"}{})",
                                           R"({"id":"a","text":"b"},)",
                                           R"({"id":"a" "text":"b"})",
                                           R"({"id":"a","text":})",
                                           R"({"id":"a","text"})",
                                           R"({"id":"a","text":"b",})",
                                           R"({"id":"a","text":"b" "c"})",
                                           R"({"id":"":"a","text":"b"})",
                                           R"({"id":"a","text":"b","x":"":1})",
                                           R"({"id":"a","text":"b"c})",
                                           R"({"id":"a","text":"b","x":[}]})",
                                           R"({"id":"a","text":"b","x":[1})",
                                           R"({"id":"a","text":"b","x":{]})",
                                           R"({"id":"a","text":"b","x":[1]]})",
                                           R"({id:"a","text":"b"})",
                                           R"({"id":"a","text":"b","x":,})",
                                           R"({"id":"a","text":"b","x":{"y":1})",
                                           R"([{"id":"a"}])",
                                           "null",
                                           "\"id\"",
                                           "12",
                                           "{\"id\":\"a\",\"text\":\"b\nc\"}",
                                           "{\"id\":\"a\",\"text\":\"b\0\"}"s};
  for (const std::string& bad : broken) {
    EXPECT_EQ(reason_of(bad), RejectReason::kInvalidJson) << bad;
  }
}

TEST(RecordDecoder, what_stands_after_the_record_changes_nothing) {
  RecordDecoder decoder({.namespace_field = "/tags/1"}, {});
  for (const std::string& json :
       {R"({"id":"a","text":"b","tags":["q",{"x":1})"s, R"({"id":"a","tags":[{})"s,
        R"({"id":"a","text":"b")"s, R"({"id":"a","text":"b","x":{"y":1})"s, with(""),
        with(R"(,"x":[1])"), R"({"id":"a","text":"b","x":[[1])"s,
        R"({"id":"a","text":"b","x":{"y":{})"s}) {
    const Record plain = decode_with(decoder, json).record;
    for (const char padding : {'}', ']', '"', ',', '{', ':', '\\', ' ', '1', '\xff'}) {
      const Record record = decode_with(decoder, json, padding).record;
      EXPECT_EQ(record.reason, plain.reason) << json << padding;
      EXPECT_EQ(record.detail, plain.detail) << json << padding;
    }
  }
}

TEST(RecordDecoder, only_fields_that_are_read_are_validated) {
  EXPECT_EQ(reason_of(with(R"(,"x":@!,"y":01,"z":[1 2,,tru])")), RejectReason::kNone);
}

TEST(RecordDecoder, nesting_of_100000_is_read_or_rejected) {
  const std::size_t depth = 100'000;
  const std::string open(depth, '['), close(depth, ']');
  EXPECT_EQ(reason_of(with(",\"x\":" + open + close)), RejectReason::kNone);
  EXPECT_EQ(reason_of(with(",\"x\":" + open)), RejectReason::kInvalidJson);
  EXPECT_EQ(reason_of(R"({"id":"a","text":)" + open + close + "}"), RejectReason::kInvalidText);
  std::string objects;
  for (std::size_t i = 0; i < depth; ++i) objects += "{\"a\":";
  EXPECT_EQ(reason_of(objects + "1" + std::string(depth, '}')), RejectReason::kMissingId);
  EXPECT_EQ(reason_of(open), RejectReason::kInvalidJson);
  const InputOptions input{.text_field = "/a/a/a"};
  EXPECT_EQ(decode(objects + "1" + std::string(depth, '}'), input).record.reason,
            RejectReason::kMissingId);
}

TEST(RecordDecoder, ill_formed_utf8_is_replaced_and_marked) {
  RecordDecoder decoder({}, {});
  const Decoded d =
      decode_with(decoder, "{\"id\":\"a\xff\",\"text\":\"b\xe2\x82\",\"x\":\"\xc3\"}");
  EXPECT_EQ(d.record.kind, RecordKind::kDocument) << d.record.detail;
  EXPECT_EQ(d.record.id, "a\xef\xbf\xbd");
  EXPECT_EQ(d.text, "b\xef\xbf\xbd");
  EXPECT_TRUE(d.record.notices.has(NoticeKind::kReplacedBytes));
  EXPECT_FALSE(decode_with(decoder, with(R"(,"x":"\u00e9")"))
                   .record.notices.has(NoticeKind::kReplacedBytes));
}

TEST(RecordDecoder, ill_formed_utf8_is_rejected_when_asked) {
  const TextOptions options{.invalid_utf8 = InvalidUtf8::kReject};
  EXPECT_EQ(decode(with(",\"x\":\"\xff\""), {}, options).record.reason, RejectReason::kInvalidUtf8);
  EXPECT_EQ(decode("{\"id\":\"\xed\xa0\x80", {}, options).record.reason,
            RejectReason::kInvalidUtf8);
  EXPECT_EQ(decode(with(",\"x\":\"ä\""), {}, options).record.reason, RejectReason::kNone);
}

TEST(RecordDecoder, limits_are_named_in_the_detail) {
  RecordDecoder decoder({}, TextOptions{.max_bytes = 4});
  EXPECT_EQ(decode_with(decoder, R"({"id":"a","text":"1234"})").record.reason, RejectReason::kNone);
  EXPECT_EQ(decode_with(decoder, R"({"id":"a","text":"\u0031234"})").record.reason,
            RejectReason::kNone);
  const Record large = decode_with(decoder, R"({"id":"a","text":"12345"})").record;
  EXPECT_EQ(large.reason, RejectReason::kTextTooLarge);
  EXPECT_THAT(large.detail, HasSubstr("5 bytes"));
  std::string_view text;
  const Record record =
      decoder.decode({.bytes = {}, .source = {}, .too_large = true, .size = 99}, text);
  EXPECT_EQ(record.reason, RejectReason::kRecordTooLarge);
  EXPECT_FALSE(record.has_id);
  EXPECT_THAT(record.detail, testing::AllOf(HasSubstr("99 bytes"), HasSubstr("33554432")));
}

TEST(RecordDecoder, one_record_leaves_nothing_for_the_next) {
  RecordDecoder decoder({}, {});
  decode_with(decoder, with(R"(,"namespace":"n","ts":5)"));
  const Decoded d = decode_with(decoder, R"({"id":"z"})");
  EXPECT_EQ(d.record.reason, RejectReason::kMissingText);
  EXPECT_EQ(d.record.name_space, "");
  EXPECT_FALSE(d.record.ts_ms.has_value());
  EXPECT_EQ(decode_with(decoder, with("")).record.kind, RecordKind::kDocument);
}

std::optional<std::int64_t> time_of(const std::string& value) {
  const Decoded decoded = decode(with(",\"ts\":" + value));
  EXPECT_EQ(decoded.record.kind, RecordKind::kDocument) << value << decoded.record.detail;
  return decoded.record.ts_ms;
}

TEST(RecordDecoder, a_time_is_seconds_or_milliseconds_or_rfc3339) {
  EXPECT_EQ(time_of("0"), 0);
  EXPECT_EQ(time_of("1700000000.25"), 1'700'000'000'250);
  EXPECT_EQ(time_of("1.7e9"), 1'700'000'000'000);
  EXPECT_EQ(time_of("99999999999"), 99'999'999'999'000);
  EXPECT_EQ(time_of("100000000000"), 100'000'000'000);
  EXPECT_EQ(time_of("1700000000123"), 1'700'000'000'123);
  EXPECT_EQ(time_of("-5"), -5000);
  EXPECT_EQ(time_of("\"1970-01-01T00:00:00Z\""), 0);
  EXPECT_EQ(time_of("\"2024-02-29t12:00:00.5+01:30\""), 1'709'202'600'500);
  EXPECT_EQ(time_of("\"2024-02-29 12:00:00.123987-00:00\""), 1'709'208'000'123);
  EXPECT_EQ(time_of("\"2016-12-31T23:59:60Z\""), 1'483'228'800'000);
  EXPECT_EQ(time_of("\"0000-01-01T00:00:00Z\""), -62'167'219'200'000);
}

TEST(RecordDecoder, any_other_time_counts_as_missing) {
  for (const char* value : {"null",
                            "true",
                            "[1]",
                            "{}",
                            "1e300",
                            "1700000000123456",
                            "12x",
                            "inf",
                            "-1e300",
                            "\"\"",
                            "\"yesterday\"",
                            "\"2023-02-29T00:00:00Z\"",
                            "\"2024-01-01\"",
                            "\"2024-01-01T00:00:00\"",
                            "\"2024-01-01T24:00:00Z\"",
                            "\"2024-01-01T00:00:00.Z\"",
                            "\"2024-01-01T00:00:00Zx\"",
                            "\"20.4-02-29T12:00:00.5Z\"",
                            "\"2024-13-01T00:00:00Z\"",
                            "\"2024-01-01T00:00:00+1:00\"",
                            "\"9999-12-31T23:59:59-00:01\""}) {
    EXPECT_EQ(time_of(value), std::nullopt) << value;
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
