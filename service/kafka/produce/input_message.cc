#include "service/kafka/produce/input_message.h"

#include <fmt/core.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <utility>

#include "service/kafka/message/message_decoder.h"

namespace neardup {
namespace {

void put(rapidjson::Document& object, const std::string& field, std::string_view value) {
  const auto size = static_cast<rapidjson::SizeType>(value.size());
  rapidjson::Pointer(field.data(), field.size())
      .Set(object, rapidjson::Value(value.data(), size, object.GetAllocator()));
}

std::string json_of_text(const InputOptions& input, std::string_view id, std::string_view space,
                         std::string_view text) {
  rapidjson::Document object(rapidjson::kObjectType);
  put(object, input.id_field, id);
  if (!space.empty()) put(object, input.namespace_field, space);
  put(object, input.text_field, text);
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  object.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

void add_namespace(std::string_view space, OutgoingMessage& message) {
  if (space.empty()) return;
  message.headers.push_back({std::string(kNamespaceHeader), std::string(space)});
}

}  // namespace

InputMessages::InputMessages(const InputOptions& input, const TextOptions& text)
    : input_(input), json_(input, text) {}

std::variant<OutgoingMessage, NoMessage> InputMessages::make(const RawRecord& raw) {
  if (raw.too_large) {
    return NoMessage{std::string(name(RejectReason::kRecordTooLarge)),
                     fmt::format("the record has {} bytes, more than the {} of "
                                 "input.max_record_bytes: it is not written",
                                 raw.size, input_.max_record_bytes)};
  }
  if (input_.frame != InputFrame::kNone) {
    return NoMessage{"framed_topic",
                     "values of the topic follow the frame of a schema registry (input.frame), "
                     "which only its own producers can write: it is not written"};
  }
  if (raw.key) return whole_text(raw);
  std::string_view text;
  const Record record = json_.decode(raw, text);
  if (input_.format == InputFormat::kRaw) return raw_message(record, text);
  OutgoingMessage message;
  if (record.has_id) message.key = record.id;
  message.value = raw.bytes;
  return message;
}

OutgoingMessage InputMessages::whole_text(const RawRecord& raw) const {
  const std::string_view space = raw.headers.front().value.value_or("");
  OutgoingMessage message;
  message.key = *raw.key;
  if (input_.format == InputFormat::kJson) {
    message.value = json_of_text(input_, *raw.key, space, raw.bytes);
  } else {
    message.value = raw.bytes;
    add_namespace(space, message);
  }
  return message;
}

std::variant<OutgoingMessage, NoMessage> InputMessages::raw_message(const Record& record,
                                                                    std::string_view text) const {
  if (record.kind == RecordKind::kRejected)
    return NoMessage{std::string(name(record.reason)), record.detail};
  OutgoingMessage message;
  message.key = record.id;
  if (record.kind == RecordKind::kDocument) message.value = text;
  message.ts_ms = record.ts_ms;
  add_namespace(record.name_space, message);
  return message;
}

}  // namespace neardup
