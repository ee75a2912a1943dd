// The lines of a byte stream, in bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/file/byte_stream.h"
#include "service/file/record_reader.h"

namespace neardup {

// Throws Failure(kUnreadable) when a stream that begins with `start` is UTF-16.
void require_no_utf16(std::string_view start, const std::string& name);

// The lines of JSON Lines as records.
class LineReader : public RecordReader {
 public:
  // Lines longer than `max_line_bytes` are returned without their bytes.
  LineReader(std::unique_ptr<ByteStream> stream, std::uint64_t max_line_bytes);

  bool resume(const LinePosition& position) override;
  void keep_stored() override { keeps_stored_ = true; }

  // Appends the next line that is not blank, without its \n, a \r at its end and, in the first
  // line, a byte order mark. Throws Failure(kUnreadable) when the stream is UTF-16, and what its
  // `read` throws.
  bool next(std::string& buffer, Line& line) override;

  std::string_view format() const override { return kJsonLinesFormat; }
  const LinePosition& position() const override { return position_; }
  std::uint64_t stored_bytes() const override { return stream_->stored_bytes(); }

 private:
  bool fill();
  bool read_line(std::string& buffer, Line& line);
  void trim(std::string& buffer, std::size_t start, Line& line) const;

  std::unique_ptr<ByteStream> stream_;
  std::uint64_t max_line_bytes_;
  bool keeps_stored_ = false;
  std::unique_ptr<char[]> block_;
  std::size_t at_ = 0;      // of block_: the next byte to give
  std::size_t filled_ = 0;  // of block_
  LinePosition position_;
};

}  // namespace neardup
