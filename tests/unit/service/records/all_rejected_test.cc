#include "service/records/all_rejected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/model/text_batch.h"
#include "service/records/record_decoder.h"

namespace neardup::TEST_FILE {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kWords = "one two three four five six seven";

std::string with(const std::string& fields) { return "{" + fields + "}"; }

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

TEST_F(AllRejectedTest, a_text_under_another_name_is_found_with_its_setting) {
  EXPECT_THAT(sentence_of({R"({"id":"a","title":"x y z","content":"one"})"}),
              EndsWith("line 1: /text is missing: give each document a string there, or set "
                       "input.text_field; /content holds a string: set input.text_field=/content"));
  EXPECT_THAT(
      sentence_of({with(R"("id":"a","headline":"x","story":")" + std::string(kWords) + '"')}),
      EndsWith("set input.text_field=/story"));
  EXPECT_THAT(sentence_of({R"({"id":"a","page":{"Body":"one"}})"}),
              EndsWith("set input.text_field=/page/Body"));
  EXPECT_THAT(
      sentence_of({R"({"id":"a","text":["one"],"raw_content":"one"})"}),
      AllOf(HasSubstr("/text must be a string"), EndsWith("set input.text_field=/raw_content")));
}

TEST_F(AllRejectedTest, an_address_or_a_title_is_not_taken_for_a_text) {
  EXPECT_THAT(sentence_of({R"({"id":"a","url":"https://example.org/a-page","title":"Two words"})"}),
              EndsWith("or set input.text_field (the fields are /id, /url, /title)"));
}

TEST_F(AllRejectedTest, an_id_under_another_name_is_found_with_its_setting) {
  EXPECT_THAT(sentence_of({R"({"url":"https://example.org","_id":"a","text":"one"})"}),
              EndsWith("or set input.id_field; /_id holds a string: set input.id_field=/_id"));
  EXPECT_THAT(sentence_of({R"({"meta":{"doc_id":1,"uuid":"a"},"text":"one"})"}),
              EndsWith("set input.id_field=/meta/uuid"));
  EXPECT_THAT(sentence_of({R"({"id":17,"url":"https://example.org","text":"one"})"}),
              EndsWith("put the id in quotes; /url holds a string: set input.id_field=/url"));
}

TEST_F(AllRejectedTest, a_record_without_any_id_names_its_fields) {
  EXPECT_THAT(sentence_of({R"({"text":"one","lang":"en"})"}),
              EndsWith("or set input.id_field (the fields are /text, /lang)"));
  EXPECT_THAT(sentence_of({"{}"}), EndsWith("or set input.id_field"));
}

TEST_F(AllRejectedTest, id_and_text_are_found_at_once) {
  EXPECT_THAT(sentence_of({R"({"url":"https://example.org","content":"one"})"}),
              EndsWith("; /url holds a string: set input.id_field=/url; /content holds a string: "
                       "set input.text_field=/content"));
}

TEST_F(AllRejectedTest, the_fields_that_are_set_are_those_that_are_missed) {
  EXPECT_THAT(
      sentence_of({R"({"id":"a","text":"one"})"}, {.id_field = "/key", .text_field = "/page/0"}),
      AllOf(HasSubstr("/key is missing"), HasSubstr("set input.id_field=/id;"),
            EndsWith("set input.text_field=/text")));
}

TEST_F(AllRejectedTest, names_that_a_terminal_or_a_shell_would_take_for_others_are_not_shown) {
  EXPECT_THAT(
      sentence_of({with("\"id\":\"a\",\"\\u001b[31m/~ text\":\"" + std::string(kWords) + '"')}),
      EndsWith("(the fields are /id)"));
  std::string many = R"("id":"a")";
  for (int i = 0; i < 50; ++i) many += ",\"field" + std::to_string(i) + "\":1";
  EXPECT_THAT(sentence_of({with(many)}), EndsWith("/field5, /field6, …)"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
