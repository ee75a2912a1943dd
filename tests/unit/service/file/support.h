// Directories and archives for the tests of inputs and outputs.
#pragma once

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/scratch_directory.h"

namespace neardup {

inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

inline std::string bzip2(std::string_view bytes) {
  auto size = static_cast<unsigned>(bytes.size() + bytes.size() / 64 + 1024);
  std::string out(size, '\0');
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(bytes.data()),
                           static_cast<unsigned>(bytes.size()), 1, 0, 0);
  out.resize(size);
  return out;
}

inline std::string xz(std::string_view bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

inline std::string lz4(std::string_view bytes) {
  LZ4F_preferences_t options{};
  options.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(LZ4F_compressFrameBound(bytes.size(), &options), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &options));
  return out;
}

}  // namespace neardup
