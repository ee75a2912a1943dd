// The body of a request, piece by piece: its text, which may come compressed, and the records in
// it, JSON Lines or one record that is the whole body.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/ports.h"
#include "service/file/codec.h"

namespace neardup {

enum class BodyCoding : std::uint8_t { kNone, kGzip, kZstd };

// Of a header Content-Encoding; nothing if it is another one.
std::optional<BodyCoding> coding_of(std::string_view content_encoding);

class BodyDecoder {
 public:
  explicit BodyDecoder(BodyCoding coding);

  // Takes bytes from `piece`, which it shortens. `text` gets what they are, valid until the next
  // call. False: there is nothing more in the piece, or the body is damaged.
  bool next(std::string_view& piece, std::string_view& text);

  // Why the body is damaged; "" if it is not, so far.
  const std::string& damage() const { return damage_; }
  // Whether the body may end here.
  bool complete() const { return complete_; }

 private:
  std::unique_ptr<Codec> codec_;  // null: the body is not compressed
  std::string decoded_;
  std::string damage_;
  bool complete_;
};

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
