// One Kafka message → Record (docs/formats/kafka.md).
//
// A null value deletes the document whose id is the key. Other values are JSON as in files, with
// the key as the id if the object has none; with input.format raw they are the text, and the key is
// the id. The namespace of null values and raw texts is in a header. A record without a time gets
// the timestamp of the message. With input.frame confluent the value follows the frame of a schema
// registry.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "pipeline/rule/options.h"
#include "service/records/record_decoder.h"

namespace neardup {

inline constexpr std::string_view kNamespaceHeader = "neardup-namespace";

// The value of the last header of that name; empty if it is null or missing.
std::string_view header_namespace(std::span<const RawHeader> headers);

class MessageDecoder : public Decoder {
 public:
  // Throws Failure(kConfig) when a field of `input` is not a JSON pointer.
  MessageDecoder(const InputOptions& input, const TextOptions& text,
                 const OutputOptions& output = {});

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  Record decode_delete(const RawRecord& raw) const;
  Record decode_value(const RawRecord& raw, std::string_view& text);
  Record decode_raw_or_json(const RawRecord& raw, std::string_view& text);
  Record decode_unframed(const RawRecord& raw, std::string_view& text);
  Record decode_raw(const RawRecord& raw, std::string_view& text);

  InputOptions input_;
  TextOptions options_;
  OutputOptions output_;
  RecordDecoder json_;
  std::string cleaned_;  // a raw text with U+FFFD for ill-formed parts
};

}  // namespace neardup
