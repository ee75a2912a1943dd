#include "service/records/found_fields.h"

#include <gtest/gtest.h>

#include <string>

#include "service/records/record_decoder.h"

namespace neardup::TEST_FILE {
namespace {

// "id text", "usual" or "none".
std::string found_in(std::string_view json) {
  const auto fields = find_fields(json);
  if (!fields) return "none";
  return fields->usual ? "usual" : stored_words(*fields);
}

TEST(FindFields, strings_at_id_and_text_are_the_usual_ones) {
  EXPECT_EQ(found_in(R"({"text":"a","id":"1","url":"u","content":"c"})"), "usual");
}

TEST(FindFields, takes_the_first_id_that_is_a_string_or_a_number) {
  EXPECT_EQ(found_in(R"({"url":"u","text":"a"})"), "/url /text");
  EXPECT_EQ(found_in(R"({"id":7,"text":"a"})"), "/id /text");
  EXPECT_EQ(found_in(R"({"id":null,"_id":true,"doc_id":1.5,"text":"a"})"), "/doc_id /text");
  EXPECT_EQ(found_in(R"({"warc_headers":{"warc-record-id":"<urn>"},"content":"c"})"),
            "/warc_headers/warc-record-id /content");
  EXPECT_EQ(found_in(R"({"title":"t","text":"a"})"), "- /text");
}

TEST(FindFields, takes_another_text_only_if_there_is_one) {
  EXPECT_EQ(found_in(R"({"id":"1","raw_content":"a"})"), "/id /raw_content");
  EXPECT_EQ(found_in(R"({"id":"1","body":"a","content":{}})"), "/id /body");
  EXPECT_EQ(found_in(R"({"id":"1","body":"a","content":"b"})"), "usual");
  EXPECT_EQ(found_in(R"({"id":"1","text":"a","content":"b"})"), "usual");
  EXPECT_EQ(found_in(R"({"id":"1","delete":true})"), "usual");
}

TEST(FindFields, only_an_object_tells) {
  for (const char* json : {"", "[]", "1", R"({"id":"1")", R"({"id":"1"} x)", "\"text\"", "\xff"})
    EXPECT_EQ(found_in(json), "none") << json;
}

TEST(FindFields, words_are_read_back) {
  for (const char* json : {R"({"url":"u","text":"a"})", R"({"body":"a"})"}) {
    const auto fields = find_fields(json);
    ASSERT_TRUE(fields);
    const std::string words = stored_words(*fields);
    const std::size_t space = words.find(' ');
    FoundFields back;
    ASSERT_TRUE(read_stored_words(words.substr(0, space), words.substr(space + 1), back));
    EXPECT_EQ(stored_words(back), words);
  }
  FoundFields back;
  EXPECT_FALSE(read_stored_words("/other", "/text", back));
  EXPECT_FALSE(read_stored_words("/id", "-", back));
}

class FoundFieldsDecoder : public testing::Test {
 protected:
  Record decode(std::string json, const FoundFields* fields) {
    const std::size_t size = json.size();
    json.append(kTextPadding, '\0');
    RawRecord raw;
    raw.bytes = std::string_view(json).substr(0, size);
    raw.source.place = 12;
    raw.fields = fields;
    std::string_view found;
    Record record = decoder.decode(raw, found);
    text = found;
    return record;
  }
  RecordDecoder decoder{{}, {}};
  std::string text;
};

TEST_F(FoundFieldsDecoder, reads_what_was_found) {
  const FoundFields fields{.id = "/url", .text = "/content"};
  EXPECT_EQ(decode(R"({"url":"http://x","content":"a b"})", &fields).id, "http://x");
  EXPECT_EQ(text, "a b");
  EXPECT_EQ(decode(R"({"url":17,"content":"a b"})", &fields).id, "17");
  EXPECT_EQ(decode(R"({"url":null,"content":"a"})", &fields).reason, RejectReason::kInvalidId);
  EXPECT_EQ(decode(R"({"content":"a"})", &fields).reason, RejectReason::kMissingId);
  EXPECT_EQ(decode(R"({"url":"u","text":"a"})", &fields).reason, RejectReason::kMissingText);
}

TEST_F(FoundFieldsDecoder, makes_ids_of_input_and_line) {
  const FoundFields fields{.text = "/text", .input = "a.jsonl"};
  EXPECT_EQ(decode(R"({"text":"a"})", &fields).id, "a.jsonl:12");
  EXPECT_EQ(decode(R"({"text":"a")", &fields).reason, RejectReason::kInvalidJson);
  const FoundFields long_name{.text = "/text", .input = std::string(kMaxIdBytes, 'a')};
  EXPECT_EQ(decode(R"({"text":"a"})", &long_name).reason, RejectReason::kInvalidId);
}

TEST_F(FoundFieldsDecoder, inputs_may_alternate) {
  const FoundFields fields{.id = "/url", .text = "/content"};
  EXPECT_EQ(decode(R"({"url":"u","content":"a"})", &fields).id, "u");
  EXPECT_EQ(decode(R"({"id":"i","text":"b","url":"u"})", nullptr).id, "i");
  EXPECT_EQ(text, "b");
  EXPECT_EQ(decode(R"({"id":7,"text":"b"})", nullptr).reason, RejectReason::kInvalidId);
}

}  // namespace
}  // namespace neardup::TEST_FILE
