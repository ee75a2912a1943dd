#include "service/file/codec.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>

namespace neardup {
namespace {

class GzipCodec : public Codec {
 public:
  GzipCodec() {
    constexpr int kLargestWindow = 15, kGzipHeader = 16;
    if (inflateInit2(&stream_, kLargestWindow + kGzipHeader) != Z_OK) throw std::bad_alloc();
  }
  ~GzipCodec() override { inflateEnd(&stream_); }

  Step step(const char* in, std::size_t in_size, char* out, std::size_t out_size) override {
    if (between_members_ && in_size > 0 && (padded_ || *in == '\0'))
      return pass_padding(in, in_size);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in));
    stream_.avail_in = narrow(in_size);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = narrow(out_size);
    const uInt room = stream_.avail_out, offered = stream_.avail_in;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    Step step{.used = offered - stream_.avail_in, .produced = room - stream_.avail_out};
    step.ended = code == Z_STREAM_END;
    between_members_ = step.ended || (between_members_ && step.used == 0);
    if (step.ended) {
      inflateReset(&stream_);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {  // no progress yet is no error
      step.error = stream_.msg != nullptr ? stream_.msg : "invalid gzip data";
    }
    return step;
  }

 private:
  static uInt narrow(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  }

  // Tapes, block devices and some archivers fill up a file with zero bytes. As with gzip, nothing
  // else may follow them.
  Step pass_padding(const char* in, std::size_t in_size) {
    padded_ = true;
    const std::string_view rest(in, in_size);
    const std::size_t zeros = std::min(rest.find_first_not_of('\0'), in_size);
    Step step{.used = zeros, .ended = true};
    if (zeros < in_size) step.error = "something follows the zero bytes after the last gzip member";
    return step;
  }

  z_stream stream_{};
  bool between_members_ = false;  // a member has ended, and nothing of the next was read
  bool padded_ = false;           // zero bytes followed it
};

class ZstdCodec : public Codec {
 public:
  explicit ZstdCodec(int largest_window) : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, largest_window);
  }
  ZstdCodec(const ZstdCodec&) = delete;
  ~ZstdCodec() override { ZSTD_freeDStream(stream_); }

  Step step(const char* in, std::size_t in_size, char* out, std::size_t out_size) override {
    ZSTD_inBuffer input{in, in_size, 0};
    ZSTD_outBuffer output{out, out_size, 0};
    Step step;
    std::size_t code = 1;
    while (code != 0 && output.pos < output.size) {
      const std::size_t used = input.pos, produced = output.pos;
      code = ZSTD_decompressStream(stream_, &output, &input);
      if (ZSTD_isError(code)) {
        step.error = ZSTD_getErrorName(code);
        break;
      }
      if (input.pos == used && output.pos == produced) break;
    }
    step.used = input.pos;
    step.produced = output.pos;
    step.ended = code == 0;
    return step;
  }

 private:
  ZSTD_DStream* stream_;
};

}  // namespace

std::unique_ptr<Codec> make_gzip_codec() { return std::make_unique<GzipCodec>(); }
std::unique_ptr<Codec> make_zstd_codec(int largest_window) {
  return std::make_unique<ZstdCodec>(largest_window);
}

std::string gzip_member(std::string_view bytes) {
  constexpr int kLargestWindow = 15, kGzipHeader = 16, kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kLargestWindow + kGzipHeader,
                   kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
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

std::string zstd_frame(std::string_view bytes, int level) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  out.resize(size);
  return out;
}

std::optional<std::string> bytes_of_zstd_frame(std::string_view frame, std::size_t most) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > most) return {};  // an unknown size is larger than any
  std::string bytes(size, '\0');
  if (ZSTD_decompress(bytes.data(), size, frame.data(), frame.size()) != size) return {};
  return bytes;
}

}  // namespace neardup
