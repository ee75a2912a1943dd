#include "service/records/all_rejected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/model/text_batch.h"
#include "service/records/record_decoder.h"
#include "service/records/rejected_fields.h"

namespace neardup {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kWords = "one two three four five six seven";

class AllRejectedTest : public testing::Test {
 protected:
  // Decodes each line as a run does, with input.max_record_bytes of 1 KiB.
  std::string sentence_of(std::vector<std::string> lines, InputOptions input = {}) {
    input.max_record_bytes = 1024;
    RecordDecoder decoder(input, {});
    AllRejected rejected(input, {"first.jsonl", "second.jsonl"});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t size = lines[i].size();
      lines[i].append(kTextPadding, '\0');
      RawRecord raw{.bytes = std::string_view(lines[i]).substr(0, size),
                    .source = {.input = 1, .place = i + 1},
                    .too_large = size > input.max_record_bytes,
                    .size = size};
      std::string_view text;
      const Record record = decoder.decode(raw, text);
      if (raw.too_large) raw.bytes = {};
      rejected.add(raw, record.reason, record.detail);
    }
    return rejected.sentence();
  }
};

TEST_F(AllRejectedTest, a_run_without_records_and_one_with_a_good_record_have_nothing_to_say) {
  EXPECT_EQ(sentence_of({}), "");
  const std::string good = R"({"id":"a","text":"one"})";
  EXPECT_EQ(sentence_of({good}), "");
  EXPECT_EQ(sentence_of({"{", "}", good}), "");
  EXPECT_EQ(sentence_of({good, "{", "}"}), "");
  EXPECT_EQ(sentence_of({"{", R"({"id":"a","delete":true})"}), "");
}

TEST_F(AllRejectedTest, the_first_record_of_the_most_frequent_reason_is_shown) {
  const std::string sentence = sentence_of({"{", R"({"id":"a","body":"x"})", R"({"id":"b"})"});
  EXPECT_THAT(sentence, AllOf(HasSubstr("every record was rejected (2 of 3 with missing_text)"),
                              HasSubstr("in second.jsonl, line 2: "),
                              HasSubstr("set input.text_field=/body")));
}

TEST_F(AllRejectedTest, other_reasons_come_with_their_detail) {
  EXPECT_THAT(sentence_of({R"({"id":"a","text":"\x"})"}), HasSubstr("invalid escape"));
  EXPECT_THAT(sentence_of({std::string(2000, 'x')}), HasSubstr("input.max_record_bytes (1024)"));
  EXPECT_THAT(sentence_of({R"({"id":"","text":"x"})"}), HasSubstr("/id has 0 bytes"));
  EXPECT_THAT(sentence_of({R"({"id":"a","namespace":1,"text":"x"})"}), HasSubstr("namespace"));
}

TEST_F(AllRejectedTest, other_forms_of_json_are_recognised) {
  EXPECT_THAT(sentence_of({R"([{"id":"a","text":"x"}])"}), HasSubstr("jq -c '.[]'"));
  EXPECT_THAT(sentence_of({"{", R"("id": "a",)", R"("text": "x")", "}"}), HasSubstr("jq -c ."));
  EXPECT_THAT(sentence_of({"id,text"}), Not(HasSubstr("jq")));
}

std::string advice(const std::string& json, const InputOptions& input = {}) {
  return advise_on_fields(json, input);
}

std::string with(const std::string& fields) { return "{" + fields + "}"; }

TEST(RejectedFields, a_record_with_both_needs_no_advice) {
  EXPECT_EQ(advice(R"({"id":"a","text":"one"})"), "");
  EXPECT_EQ(advice("[]"), "");
  EXPECT_EQ(advice("not JSON"), "");
}

TEST(RejectedFields, a_text_under_another_name_is_found_with_its_setting) {
  EXPECT_EQ(advice(R"({"id":"a","title":"x y z","content":"one"})"),
            "there is no text /text, but /content holds a string of 3 bytes: "
            "set input.text_field=/content");
  EXPECT_THAT(advice(with(R"("id":"a","headline":"x","story":")" + std::string(kWords) + '"')),
              HasSubstr("set input.text_field=/story"));
  EXPECT_THAT(advice(R"({"id":"a","page":{"Body":"one"}})"),
              HasSubstr("set input.text_field=/page/Body"));
  EXPECT_THAT(advice(R"({"id":"a","text":["one"],"raw_content":"one"})"),
              AllOf(HasSubstr("the text /text is an array and no string"),
                    HasSubstr("set input.text_field=/raw_content")));
}

TEST(RejectedFields, an_address_or_a_title_is_not_taken_for_a_text) {
  EXPECT_EQ(
      advice(R"({"id":"a","url":"https://example.org/a-long-way/to-a-page","title":"Two words"})"),
      "there is no text /text (the fields are /id, /url, /title): name the field that holds "
      "it with input.text_field");
}

TEST(RejectedFields, ids_that_are_numbers_are_to_be_put_in_quotes) {
  EXPECT_EQ(advice(R"({"id":17,"text":"one"})"),
            "the id /id is a number, but ids must be strings: put it in quotes");
  EXPECT_EQ(advice(R"({"id":17,"url":"https://example.org","text":"one"})"),
            "the id /id is a number, but ids must be strings: put it in quotes, or set "
            "input.id_field=/url, which is one");
  EXPECT_EQ(advice(R"({"id":null,"text":"one"})"),
            "the id /id is null, but ids must be strings: give each record one of its own");
  EXPECT_THAT(advice(R"({"doc_id":17,"text":"one"})"),
              AllOf(HasSubstr("/doc_id holds a number"), HasSubstr("input.id_field=/doc_id")));
}

TEST(RejectedFields, an_id_under_another_name_is_found_with_its_setting) {
  EXPECT_EQ(advice(R"({"url":"https://example.org","_id":"a","text":"one"})"),
            "there is no id /id, but /_id holds a string: set input.id_field=/_id");
  EXPECT_THAT(advice(R"({"meta":{"doc_id":1,"uuid":"a"},"text":"one"})"),
              HasSubstr("set input.id_field=/meta/uuid"));
}

TEST(RejectedFields, a_record_without_any_id_says_so_and_names_its_fields) {
  EXPECT_EQ(advice(R"({"text":"one","lang":"en"})"),
            "there is no id /id (the fields are /text, /lang): give each record a string of its "
            "own there, or name the field that holds one with input.id_field");
  EXPECT_THAT(advice("{}"), HasSubstr("the fields are none"));
}

TEST(RejectedFields, id_and_text_are_mended_at_once) {
  EXPECT_THAT(advice(R"({"url":"https://example.org","content":"one"})"),
              AllOf(HasSubstr("set input.id_field=/url; there is no text"),
                    HasSubstr("set input.text_field=/content")));
}

TEST(RejectedFields, the_fields_that_are_set_are_those_that_are_missed) {
  EXPECT_THAT(advice(R"({"id":"a","text":"one"})", {.id_field = "/key", .text_field = "/page/0"}),
              AllOf(HasSubstr("there is no id /key, but /id holds"),
                    HasSubstr("there is no text /page/0, but /text holds")));
  EXPECT_EQ(advice(R"({"a":{"b":{"c":["x","i"]}},"t":{"u":{"v":"one"}}})",
                   {.id_field = "/a/b/c/1", .text_field = "/t/u/v"}),
            "");
}

TEST(RejectedFields, names_from_the_data_are_shown_without_their_controls) {
  EXPECT_THAT(advice("{\"id\":\"a\",\"\\u001b[31m/~ text\":\"one two three four five six\"}"),
              HasSubstr(R"(set input.text_field="/\u001B[31m~1~0 text")"));
  std::string many = R"("id":"a")";
  for (int i = 0; i < 100; ++i) many += ",\"field" + std::to_string(i) + "\":1";
  EXPECT_LT(advice(with(many)).size(), 300u);
}

}  // namespace
}  // namespace neardup
