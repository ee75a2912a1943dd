// A message for the tests of what is read from it and made of it.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/model/text_batch.h"
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

inline auto headers_of(const RawRecord& record) {
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  for (const RawHeader& header : record.headers) {
    headers.emplace_back(header.name, header.value);
  }
  return headers;
}

inline void expect_same(const RawRecord& found, const RawRecord& wanted) {
  EXPECT_EQ(found.bytes, wanted.bytes);
  EXPECT_EQ(found.has_value, wanted.has_value);
  EXPECT_EQ(found.too_large, wanted.too_large);
  EXPECT_EQ(found.size, wanted.size);
  EXPECT_EQ(found.key, wanted.key);
  EXPECT_EQ(found.ts_ms, wanted.ts_ms);
  EXPECT_EQ(found.source.input, wanted.source.input);
  EXPECT_EQ(found.source.place, wanted.source.place);
  EXPECT_EQ(headers_of(found), headers_of(wanted));
}

}  // namespace neardup
