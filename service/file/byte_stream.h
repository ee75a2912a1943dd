// The decompressed bytes of an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "service/file/raw_input.h"

namespace neardup {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Up to `most` bytes, 0 at the end. Throws Failure(kUnreadable), naming file and byte, when the
  // input is damaged or ends within compressed data; all that could be read has been given before.
  virtual std::size_t read(char* to, std::size_t most) = 0;

  // Passes over `bytes` bytes of a stream of which nothing was read yet. False: it has not that
  // many.
  virtual bool skip(std::uint64_t bytes) = 0;

  // Bytes of the input as stored that were used so far.
  virtual std::uint64_t stored_bytes() const = 0;
};

// What the first bytes say.
enum class Compression : std::uint8_t { kNone, kGzip, kZstd };
Compression compression_of(std::string_view head);

// gzip with any number of members, zstd with any number of frames and windows up to 128 MiB, or the
// bytes as they are.
std::unique_ptr<ByteStream> open_stream(RawInput input);

}  // namespace neardup
