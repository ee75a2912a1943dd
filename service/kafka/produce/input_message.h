// A record of a body → the message that the service reads (message/message_decoder.h).
#pragma once

#include <string>
#include <variant>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "service/kafka/message/message.h"
#include "service/records/record_decoder.h"

namespace neardup {

// Why a record has no message, as names of docs/api.md and words.
struct NoMessage {
  std::string reason;
  std::string detail;
};

// One per thread.
class InputMessages {
 public:
  // Throws as RecordDecoder.
  InputMessages(const InputOptions& input, const TextOptions& text);

  // Its key is the id, if the record has one. With input.format json its value is the JSON of the
  // record as it is, and a record that cannot be decoded has a message, too: the service makes a
  // dead letter of it. With input.format raw the value is the text. With input.frame none has one.
  // `raw`: as HttpSource gives it.
  std::variant<OutgoingMessage, NoMessage> make(const RawRecord& raw);

 private:
  OutgoingMessage whole_text(const RawRecord& raw) const;
  std::variant<OutgoingMessage, NoMessage> raw_message(const Record& record,
                                                       std::string_view text) const;

  InputOptions input_;
  RecordDecoder json_;
};

}  // namespace neardup
