// Bodies of documents on their way into a topic: each record that has a message must be the same
// document when the service reads that message. The first byte picks the form of the body and
// input.format; the id and the namespace of a text are the first two lines of what follows.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/base/utf8.h"
#include "service/ingest/body_reader.h"
#include "service/ingest/body_record_decoder.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/produce/input_message.h"
#include "tests/fuzz/request_feed.h"
#include "tests/unit/service/kafka/produce/received.h"

namespace neardup {
namespace {

constexpr std::uint64_t kMaxRecord = 256;

class Body {
 public:
  Body(BodyForm form, InputFormat format)
      : text_(form == BodyForm::kText),
        lines_(form, kMaxRecord),
        input_{.format = format, .max_record_bytes = kMaxRecord} {}

  // `id` and `space`: of a text.
  void run(std::string_view bytes, std::string_view id, std::string_view space) {
    RawRecord record;
    while (lines_.next(bytes, record)) try_record(record, id, space);
    if (lines_.last(record)) try_record(record, id, space);
  }

 private:
  void try_record(RawRecord record, std::string_view id, std::string_view space) {
    const RawHeader header{kNamespaceOfText, space};
    if (text_) {
      record.key = id;
      record.headers = {&header, 1};
    }
    const RawChunk sent = chunk_of(record);
    const auto made = messages_.make(sent.records[0]);
    std::string_view text;
    const Record wanted = here_.decode(sent.records[0], text);
    if (const auto* message = std::get_if<OutgoingMessage>(&made)) {
      require_same(wanted, text, received(*message).records[0]);
    } else {
      require(!std::get<NoMessage>(made).reason.empty());
      require(record.too_large ||
              (input_.format == InputFormat::kRaw && wanted.kind == RecordKind::kRejected));
    }
  }

  void require_same(const Record& wanted, std::string_view text, const RawRecord& raw) {
    std::string_view found;
    const Record record = there_.decode(raw, found);
    require(record.kind == wanted.kind && record.reason == wanted.reason);
    if (record.kind == RecordKind::kRejected) return;
    require(record.id == wanted.id && record.name_space == wanted.name_space && found == text);
    require(record.ts_ms == wanted.ts_ms);
  }

  const bool text_;
  RecordLines lines_;
  const InputOptions input_;
  InputMessages messages_{input_, {}};
  BodyRecordDecoder here_{{.max_record_bytes = kMaxRecord}, {}, {}};
  MessageDecoder there_{input_, {}};
};

std::string_view cut(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
  return part;
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace neardup;
  if (size == 0) return 0;
  constexpr BodyForm kForms[] = {BodyForm::kLines, BodyForm::kWhole, BodyForm::kText};
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const BodyForm form = kForms[data[0] % 3];
  Body body(form, data[0] % 2 == 0 ? InputFormat::kJson : InputFormat::kRaw);
  if (form != BodyForm::kText) {
    body.run(bytes, {}, {});
    return 0;
  }
  const std::string_view id = cut(bytes);
  const std::string_view space = cut(bytes);
  if (!valid_utf8(id) || !valid_utf8(space)) return 0;  // refused before (documents_port.cc)
  body.run(bytes, id, space);
  return 0;
}
