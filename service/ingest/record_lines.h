// Records out of the pieces of a body: JSON Lines, or one record that is the whole body.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pipeline/ports.h"

namespace neardup {

enum class BodyForm : std::uint8_t {
  kLines,  // one record a line; blank lines are none
  kWhole,  // one record, unless it is blank
  kText,   // one record, whose text is all of it
};

class RecordLines {
 public:
  // Larger records than `max_record_bytes` are given without their bytes.
  RecordLines(BodyForm form, std::uint64_t max_record_bytes)
      : form_(form), max_record_bytes_(max_record_bytes) {}

  // Takes bytes from `piece`, which it shortens, up to and with the end of the next record. False:
  // there is none in them. `record` gets bytes that are valid until the next call, size, and the
  // line of the body in source.place.
  bool next(std::string_view& piece, RawRecord& record);

  // What is left when the body has ended. Then as `next`.
  bool last(RawRecord& record);

 private:
  void begin_line();
  void skip_blank_lines(std::string_view& piece);
  void append(std::string_view bytes);
  bool finish_line(RawRecord& record);

  const BodyForm form_;
  const std::uint64_t max_record_bytes_;
  std::string line_;          // the beginning of the next record, unless it is too large
  std::uint64_t size_ = 0;    // of the next record, as far as it has come
  std::uint64_t number_ = 1;  // its line
  bool given_ = false;        // line_ is that of the last record
};

}  // namespace neardup
