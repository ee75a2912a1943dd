// One JSON Lines record → Record (docs/formats/records.md).
//
// The record as a whole must be UTF-8 and one JSON object whose brackets match and whose strings
// end and hold no raw control characters. Otherwise only the fields that are read are checked.
// An invalid record is rejected with the first reason that applies: structure, a field that occurs
// twice, id, namespace, text. A rejected record keeps its id when that could be read. If the object
// of a message has no id, the key of the message is its id. What broken text in the record becomes
// follows text.invalid_utf8: bytes anywhere in it, and half of a surrogate pair in the text. In id,
// namespace, time and url half of a pair is always an invalid escape: two ids must not become one.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "pipeline/rule/options.h"

namespace neardup {

class RecordDecoder : public Decoder {
 public:
  // The url is read, and the text counted, only when they are fields of `output`. Throws
  // Failure(kConfig) when a field of `input` is not a JSON pointer.
  RecordDecoder(const InputOptions& input, const TextOptions& text,
                const OutputOptions& output = {});
  ~RecordDecoder() override;

  // Memory grows with the largest record seen: about six times its size.
  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
