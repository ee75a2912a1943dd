// bzip2, xz and lz4: what archives of text come in besides gzip and zstd.
#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>

#include "service/file/codec.h"

namespace neardup {
namespace {

class Bzip2Codec : public Codec {
 public:
  Bzip2Codec() { begin(); }
  Bzip2Codec(const Bzip2Codec&) = delete;
  ~Bzip2Codec() override { BZ2_bzDecompressEnd(&stream_); }

  Step step(const char* in, std::size_t in_size, char* out, std::size_t out_size) override {
    stream_.next_in = const_cast<char*>(in);
    stream_.avail_in = narrow(in_size);
    stream_.next_out = out;
    stream_.avail_out = narrow(out_size);
    const unsigned offered = stream_.avail_in, room = stream_.avail_out;
    const int code = BZ2_bzDecompress(&stream_);
    Step step{.used = offered - stream_.avail_in, .produced = room - stream_.avail_out};
    if (code == BZ_STREAM_END) {
      step.ended = true;
      BZ2_bzDecompressEnd(&stream_);
      begin();
    } else if (code != BZ_OK) {
      if (code == BZ_MEM_ERROR) throw std::bad_alloc();
      step.error = code == BZ_DATA_ERROR_MAGIC ? "something else than a bzip2 stream begins here"
                                               : "invalid bzip2 data";
    }
    return step;
  }

 private:
  static unsigned narrow(std::size_t size) {
    return static_cast<unsigned>(std::min<std::size_t>(size, std::numeric_limits<unsigned>::max()));
  }
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  bz_stream stream_{};
};

const char* xz_error(lzma_ret code) {
  switch (code) {
    case LZMA_FORMAT_ERROR:
      return "something else than an xz stream begins here";
    case LZMA_MEMLIMIT_ERROR:
      return "it needs more than 256 MiB of memory: compress it with a smaller dictionary";
    case LZMA_OPTIONS_ERROR:
      return "it has a filter or a check that is not known";
    default:
      return "invalid xz data";
  }
}

class XzCodec : public Codec {
 public:
  XzCodec() { begin(); }
  XzCodec(const XzCodec&) = delete;
  ~XzCodec() override { lzma_end(&stream_); }

  Step step(const char* in, std::size_t in_size, char* out, std::size_t out_size) override {
    if (between_streams_ && in_size > 0 && *in == '\0') return pass_padding(in, in_size);
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in);
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = out_size;
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    Step step{.used = in_size - stream_.avail_in, .produced = out_size - stream_.avail_out};
    if (step.used > 0) between_streams_ = false;
    if (code == LZMA_STREAM_END) {
      step.ended = between_streams_ = true;
      begin();
    } else if (code != LZMA_OK && code != LZMA_BUF_ERROR) {  // no progress yet is no error
      if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
      step.error = xz_error(code);
    }
    return step;
  }

 private:
  static constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;  // xz -9 takes 65 MiB

  void begin() {
    if (lzma_stream_decoder(&stream_, kMostMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }
  // Streams may be aligned with zero bytes, and another one may follow.
  static Step pass_padding(const char* in, std::size_t in_size) {
    const std::size_t zeros =
        std::min(std::string_view(in, in_size).find_first_not_of('\0'), in_size);
    return {.used = zeros, .ended = true};
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool between_streams_ = false;
};

class Lz4Codec : public Codec {
 public:
  Lz4Codec() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0)
      throw std::bad_alloc();
  }
  Lz4Codec(const Lz4Codec&) = delete;
  ~Lz4Codec() override { LZ4F_freeDecompressionContext(context_); }

  Step step(const char* in, std::size_t in_size, char* out, std::size_t out_size) override {
    std::size_t used = in_size, produced = out_size;
    const std::size_t code = LZ4F_decompress(context_, out, &produced, in, &used, nullptr);
    if (LZ4F_isError(code) != 0) return {.error = LZ4F_getErrorName(code)};
    return {.used = used, .produced = produced, .ended = code == 0 && used > 0};
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Codec> make_bzip2_codec() { return std::make_unique<Bzip2Codec>(); }
std::unique_ptr<Codec> make_xz_codec() { return std::make_unique<XzCodec>(); }
std::unique_ptr<Codec> make_lz4_codec() { return std::make_unique<Lz4Codec>(); }

}  // namespace neardup
