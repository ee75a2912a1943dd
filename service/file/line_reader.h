// The lines of a byte stream, in bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "service/file/byte_stream.h"

namespace neardup {

// A place between two lines: bytes of the decompressed stream and line ends before it.
struct LinePosition {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  bool operator==(const LinePosition&) const = default;
};

struct Line {
  std::uint64_t number = 0;  // from 1, blank lines counted
  std::uint64_t size = 0;    // without the line end
  bool too_large = false;    // more than the limit: nothing was appended
  bool ended = false;        // a line end followed
};

class LineReader {
 public:
  // Lines longer than `max_line_bytes` are returned without their bytes.
  LineReader(std::unique_ptr<ByteStream> stream, std::uint64_t max_line_bytes);

  // Continues at `position`, which an earlier reader of the same stream gave. False: the stream is
  // shorter. Requires: nothing was read yet.
  bool resume(const LinePosition& position);

  // Appends the next line that is not blank to `buffer`, without its \n, a \r at its end and, in
  // the first line, a byte order mark. False: the stream ended. When the stream fails, what was
  // appended of the unfinished line is left in `buffer`. Throws Failure(kUnreadable) when the
  // stream is UTF-16, and what its `read` throws.
  bool next(std::string& buffer, Line& line);

  // The end of the last line returned, or of the stream.
  const LinePosition& position() const { return position_; }
  std::uint64_t stored_bytes() const { return stream_->stored_bytes(); }

 private:
  bool fill();
  bool read_line(std::string& buffer, Line& line);
  void trim(std::string& buffer, std::size_t start, Line& line) const;

  std::unique_ptr<ByteStream> stream_;
  std::uint64_t max_line_bytes_;
  std::unique_ptr<char[]> block_;
  std::size_t at_ = 0;      // of block_: the next byte to give
  std::size_t filled_ = 0;  // of block_
  LinePosition position_;
};

}  // namespace neardup
