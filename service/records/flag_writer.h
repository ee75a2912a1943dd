// Flags as JSON lines (docs/formats/records.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pipeline/model/flag.h"

namespace neardup {

// Appends the JSON object that says where a record came from.
using SourceFormat = std::function<void(const SourcePosition& source, std::string& out)>;

enum class FlagSeq : std::uint8_t {
  kOwn,   // seq
  kLast,  // as_of_seq, the seq before: of a check, which takes none
};

class FlagWriter {
 public:
  // `rule`: 16 hex digits of the fingerprint.
  FlagWriter(std::string_view rule, Ppm threshold, SourceFormat source,
             FlagSeq seq = FlagSeq::kOwn);

  // Appends one line. Similarities are cut, not rounded, to 3 decimals.
  void append(const Flag& flag, std::string& out) const;

 private:
  std::string tail_;  // threshold and rule, the same in every flag
  SourceFormat source_;
  FlagSeq seq_;
};

}  // namespace neardup
