// A message for the tests of what is read from it and made of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/core/text_batch.h"
#include "pipeline/ports.h"

namespace neardup {

// Owns the bytes of a RawRecord, which is `raw`.
struct TestMessage {
  explicit TestMessage(std::optional<std::string_view> key, std::optional<std::string> value,
                       std::vector<RawHeader> headers_in = {})
      : bytes(value.value_or("") + std::string(kTextPadding, '}')), headers(std::move(headers_in)) {
    const std::size_t size = value.value_or("").size();
    raw.bytes = std::string_view(bytes).substr(0, size);
    raw.source = {.input = 1, .place = 41};
    raw.size = size;
    raw.has_value = value.has_value();
    raw.key = key;
    raw.headers = headers;
    raw.ts_ms = 1'700'000'000'000;
  }
  TestMessage(const TestMessage&) = delete;

  std::string bytes;
  std::vector<RawHeader> headers;
  RawRecord raw;
};

}  // namespace neardup
