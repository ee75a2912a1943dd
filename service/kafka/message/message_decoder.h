// One Kafka message → Record (docs/formats/kafka.md).
//
// A null value deletes the id that is the key. Any other value is JSON as in files, with the key as
// id where the object has none, or with input.format raw the text itself, with the key as id. Null
// values and raw texts have their namespace from a header. A record without a time has that of the
// message.
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

// What the last header of that name says; empty where it is null or there is none.
std::string_view header_namespace(std::span<const RawHeader> headers);

class MessageDecoder : public Decoder {
 public:
  // Throws Failure(kConfig) when a field of `input` is not a JSON pointer.
  MessageDecoder(const InputOptions& input, const TextOptions& text);

  Record decode(const RawRecord& raw, std::string_view& text) override;

  // Ill-formed UTF-8 parts that were replaced by U+FFFD so far.
  std::uint64_t replaced_utf8() const { return json_.replaced_utf8() + replaced_; }

 private:
  Record decode_delete(const RawRecord& raw) const;
  Record decode_raw(const RawRecord& raw, std::string_view& text);

  InputOptions input_;
  TextOptions options_;
  RecordDecoder json_;
  std::string cleaned_;  // a raw text with U+FFFD for ill-formed parts
  std::uint64_t replaced_ = 0;
};

}  // namespace neardup
