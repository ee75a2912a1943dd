#include "service/kafka/produce/input_message.h"

#include <gmock/gmock.h>

#include "service/kafka/message/message_decoder.h"
#include "tests/unit/service/kafka/produce/received.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

class InputMessage : public testing::Test {
 protected:
  // The message of a line of JSON, or of a text where `key` is given.
  OutgoingMessage message(const std::string& bytes, std::optional<std::string> key = {},
                          const std::string& space = "") {
    return std::get<OutgoingMessage>(make(bytes, key, space));
  }
  std::variant<OutgoingMessage, NoMessage> make(const std::string& bytes,
                                                std::optional<std::string> key = {},
                                                const std::string& space = "") {
    const RawHeader header{"namespace", space};
    RawRecord record{.bytes = bytes, .source = {}, .size = bytes.size()};
    record.too_large = bytes.size() > input.max_record_bytes;
    if (key) {
      record.key = *key;
      record.headers = {&header, 1};
    }
    chunk_ = chunk_of(record);
    InputMessages messages(input, {});
    return messages.make(chunk_.records[0]);
  }

  // What the service makes of a message.
  Record decoded(const OutgoingMessage& message, std::string& text) {
    const RawChunk chunk = received(message);
    std::string_view found;
    MessageDecoder decoder(input, {});
    Record result = decoder.decode(chunk.records[0], found);
    text = found;
    return result;
  }

  InputOptions input;

 private:
  RawChunk chunk_;
};

TEST_F(InputMessage, JsonIsSentAsItIs) {
  const std::string line = R"({"text":"x", "id":"a","namespace":"n","more":[1]})";
  const OutgoingMessage sent = message(line);
  EXPECT_THAT(sent.key, Optional(std::string("a")));
  EXPECT_THAT(sent.value, Optional(line));
  EXPECT_THAT(sent.headers, IsEmpty());
}

TEST_F(InputMessage, WhatCannotBeDecodedIsSentToo) {
  EXPECT_EQ(message("no JSON").key, std::nullopt);
  EXPECT_THAT(message("no JSON").value, Optional(std::string("no JSON")));
  EXPECT_THAT(message(R"({"id":"a"})").key, Optional(std::string("a")));
}

TEST_F(InputMessage, ATooLargeRecordIsNotSent) {
  input.max_record_bytes = 10;
  const auto none = std::get<NoMessage>(make("12345678901"));
  EXPECT_EQ(none.reason, "record_too_large");
  EXPECT_THAT(none.detail, HasSubstr("11 bytes, more than the 10"));
}

TEST_F(InputMessage, ATextBecomesJsonThatTheServiceReads) {
  for (const char* field : {"/id", "/meta/id", "/a~1b/~0"}) {
    input.id_field = field;
    for (const char* space : {"", "news"}) {
      const OutgoingMessage sent = message("say \"x\"\n\\ é", "a/b", space);
      EXPECT_THAT(sent.key, Optional(std::string("a/b")));
      std::string text;
      const Record record = decoded(sent, text);
      EXPECT_EQ(record.kind, RecordKind::kDocument) << record.detail;
      EXPECT_EQ(record.id, "a/b");
      EXPECT_EQ(record.name_space, space);
      EXPECT_EQ(text, "say \"x\"\n\\ é");
    }
  }
}

TEST_F(InputMessage, WithRawValuesTheTextIsSent) {
  input.format = InputFormat::kRaw;
  const OutgoingMessage from_json =
      message(R"({"id":"a","namespace":"n","text":"x\ny","ts":"2026-01-02T03:04:05Z"})");
  EXPECT_THAT(from_json.ts_ms, Optional(1'767'323'045'000));
  for (const OutgoingMessage& sent : {from_json, message("x\ny", "a", "n")}) {
    EXPECT_THAT(sent.key, Optional(std::string("a")));
    EXPECT_THAT(sent.value, Optional(std::string("x\ny")));
    EXPECT_THAT(sent.headers, ElementsAre(MessageHeader{"neardup-namespace", "n"}));
  }
  EXPECT_EQ(message(R"({"id":"a","delete":true})").value, std::nullopt);
  EXPECT_EQ(std::get<NoMessage>(make(R"({"id":"a"})")).reason, "missing_text");
}

TEST_F(InputMessage, HasNoFrameOfASchemaRegistry) {
  input.frame = InputFrame::kConfluent;
  for (const auto& made : {make(R"({"id":"a","text":"b"})"), make("a text", "a")})
    EXPECT_EQ(std::get<NoMessage>(made).reason, "framed_topic");
}

}  // namespace
}  // namespace neardup::TEST_FILE
