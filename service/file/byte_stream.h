// The decompressed bytes of an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/file/raw_input.h"

namespace neardup {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Up to `most` bytes, 0 at the end. Throws Failure(kUnreadable), naming file and byte, when the
  // input is damaged or ends within compressed data, once all bytes before that were returned.
  virtual std::size_t read(char* to, std::size_t most) = 0;

  // Skips the next `bytes` bytes. False: the stream is shorter.
  virtual bool skip(std::uint64_t bytes) = 0;

  // The input as it was named, for messages.
  virtual const std::string& name() const = 0;

  // Bytes of the input as stored (compressed) that were consumed so far.
  virtual std::uint64_t stored_bytes() const = 0;
};

// The compression that the first bytes indicate.
enum class Compression : std::uint8_t { kNone, kGzip, kZstd, kBzip2, kXz, kLz4 };
Compression compression_of(std::string_view head);

// The name of a file without the suffix of a compression, if it has one: "a.csv" for "a.csv.gz".
// Of an object in a bucket also without the options of its connection.
std::string_view without_compression(std::string_view path);

// The decompressed bytes of any number of members, frames or streams (codec.h), zstd with windows
// up to 128 MiB, or the bytes as they are. Throws Failure(kUnreadable) when a file that is named
// .gz, .zst, .bz2, .xz or .lz4 holds less than the bytes by which the format is recognised.
std::unique_ptr<ByteStream> open_stream(RawInput input);

}  // namespace neardup
