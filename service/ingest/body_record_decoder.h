// Bodies → Record: JSON, or a whole text whose id and namespace came in the query.
#pragma once

#include <string>
#include <string_view>

#include "service/records/record_decoder.h"

namespace neardup {

// The header of a raw text that holds its namespace; its key is the id.
inline constexpr std::string_view kNamespaceOfText = "namespace";

class BodyRecordDecoder : public Decoder {
 public:
  // Throws as RecordDecoder.
  BodyRecordDecoder(const InputOptions& input, const TextOptions& text, const OutputOptions& output)
      : input_(input), options_(text), output_(output), json_(input, text, output) {}

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  InputOptions input_;
  TextOptions options_;
  OutputOptions output_;
  RecordDecoder json_;
  std::string cleaned_;  // a text with U+FFFD for ill-formed parts
};

}  // namespace neardup
