// The bytes of a stream that were not taken yet, a block at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/file/byte_stream.h"

namespace neardup {

class BlockReader {
 public:
  explicit BlockReader(std::unique_ptr<ByteStream> stream);

  // The next bytes, at least one; none at the end of the stream. Valid until the next call. Throws
  // what the stream throws, once all bytes before the damage were taken.
  std::string_view ahead();
  // Takes some of the bytes that `ahead` returned.
  void take(std::size_t bytes);

  // Continues at byte `position`, which lies ahead. False: the stream is shorter.
  bool skip_to(std::uint64_t position);

  std::uint64_t position() const { return position_; }  // bytes taken
  const std::string& name() const { return stream_->name(); }
  std::uint64_t stored_bytes() const { return stream_->stored_bytes(); }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<char[]> block_;
  std::size_t at_ = 0;      // of block_: the next byte to give
  std::size_t filled_ = 0;  // of block_
  std::uint64_t position_ = 0;
};

// Appends the inside of a JSON string. Bytes that are no ASCII are appended as they are, so what is
// no UTF-8 stays so.
void append_json_bytes(std::string_view bytes, std::string& out);

}  // namespace neardup
