// Settings of text, LSH and decisions. Everything here except BatchOptions and FilterOptions is
// part of the rule.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/types.h"
#include "pipeline/text/fold_marks.h"

namespace neardup {

enum class InvalidUtf8 : std::uint8_t { kReplace, kReject };
inline constexpr std::array<std::string_view, 2> kInvalidUtf8Names{"replace", "reject"};
constexpr std::span<const std::string_view> names(InvalidUtf8) { return kInvalidUtf8Names; }

struct TextOptions {
  InvalidUtf8 invalid_utf8 = InvalidUtf8::kReplace;
  TextFold fold = TextFold::kNone;
  std::uint32_t min_tokens = 5;  // fewer: compared by exact content only
  std::uint64_t max_bytes = std::uint64_t{10}
                            << 20;  // of raw text; 4 times that after normalisation
};

struct LshOptions {
  Ppm recall = 990'000;     // chance to meet a pair exactly at the threshold; used when bands is 0
  std::uint32_t bands = 0;  // 0: solved from recall
  std::uint32_t rows = 0;
  std::uint32_t bucket_cap = 64;  // live documents of a bucket that are looked at, oldest first
};

enum class Against : std::uint8_t { kKept, kAll };
inline constexpr std::array<std::string_view, 2> kAgainstNames{"kept", "all"};
constexpr std::span<const std::string_view> names(Against) { return kAgainstNames; }

enum class VerifyMode : std::uint8_t { kNone, kSketch, kExact };
inline constexpr std::array<std::string_view, 3> kVerifyModeNames{"none", "sketch", "exact"};
constexpr std::span<const std::string_view> names(VerifyMode) { return kVerifyModeNames; }

struct DecisionOptions {
  Ppm threshold = 800'000;
  Against against = Against::kKept;
  VerifyMode verify = VerifyMode::kSketch;
};

// Documents beyond a limit are forgotten; 0: no limit. Limits that are set are part of the rule.
struct RetentionOptions {
  std::uint64_t max_age_ms = 0;            // of a document or id, in stream time
  std::uint64_t max_documents = 0;         // arrivals, of any kind
  std::uint64_t max_bytes = 0;             // of normalised text of the documents in the index
  std::uint64_t max_step_ms = 86'400'000;  // how far one record moves stream time
};

struct FilterOptions {
  bool one_bit = true;  // packed 1-bit sketches before the full ones; never changes a flag
  // Memory for sketches that are compared without reading rows: a share of storage.memory, without
  // a key in the configuration.
  std::uint64_t sketch_bytes = std::uint64_t{16} << 20;
  // Memory for rows that were read and are likely to be needed again; likewise.
  std::uint64_t row_bytes = std::uint64_t{4} << 20;
};

struct BatchOptions {
  std::uint32_t documents = 16384;
  std::uint64_t max_bytes = std::uint64_t{256} << 20;  // of raw records
  std::uint32_t linger_ms = 200;  // of a service: how long a batch waits for more records
  std::uint32_t in_flight = 2;    // of a service: stored batches whose flags are not delivered yet
};

}  // namespace neardup
