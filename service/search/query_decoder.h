// Lines of a batch of queries, and whole texts, as records.
#pragma once

#include <string>
#include <string_view>

#include "service/records/record_decoder.h"

namespace neardup {

// A line is an object with a text, whose id does not matter and may be missing, or with an id
// alone: that is rejected with kMissingText, and has its id.
class QueryDecoder : public Decoder {
 public:
  // Throws like RecordDecoder.
  QueryDecoder(const InputOptions& input, const TextOptions& text) : decoder_(input, text) {}

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  RecordDecoder decoder_;
};

// The whole value is the text; ill-formed UTF-8 becomes U+FFFD.
class TextDecoder : public Decoder {
 public:
  explicit TextDecoder(const TextOptions& options) : options_(options) {}

  Record decode(const RawRecord& raw, std::string_view& text) override;

 private:
  TextOptions options_;
  std::string cleaned_;
};

// A chunk with one record: the text.
RawChunk text_chunk(const std::string& text);

// A chunk with a record for each line that is not empty.
RawChunk lines_chunk(const std::string& lines);

}  // namespace neardup
