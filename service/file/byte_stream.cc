#include "service/file/byte_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/codec.h"
#include "service/file/remote_input.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
// How files of a format are named, how they begin, and what decompresses them.
struct Format {
  Compression compression;
  std::string_view suffix;
  std::string_view start;
  std::unique_ptr<Codec> (*codec)();
};
constexpr Format kFormats[] = {
    {Compression::kGzip, ".gz", "\x1f\x8b"sv, make_gzip_codec},
    {Compression::kZstd, ".zst", "\x28\xb5\x2f\xfd"sv, [] { return make_zstd_codec(); }},
    {Compression::kBzip2, ".bz2", "BZh"sv, make_bzip2_codec},
    {Compression::kXz, ".xz", "\xfd\x37zXZ\0"sv, make_xz_codec},
    {Compression::kLz4, ".lz4", "\x04\x22\x4d\x18"sv, make_lz4_codec},
};

class PlainStream : public ByteStream {
 public:
  explicit PlainStream(RawInput input) : input_(std::move(input)) {}

  std::size_t read(char* to, std::size_t most) override { return input_.read(to, most); }
  bool skip(std::uint64_t bytes) override {
    if (bytes == 0) return true;
    if (input_.offset() + bytes > input_.size()) return false;
    input_.seek(input_.offset() + bytes);
    return true;
  }
  const std::string& name() const override { return input_.path(); }
  std::uint64_t stored_bytes() const override { return input_.offset(); }

 private:
  RawInput input_;
};

class CompressedStream : public ByteStream {
 public:
  CompressedStream(RawInput input, std::unique_ptr<Codec> codec)
      : input_(std::move(input)), codec_(std::move(codec)), block_(kBlockBytes) {}

  std::size_t read(char* to, std::size_t most) override {
    while (true) {
      if (!damage_.empty()) fail("is damaged", damage_);
      const Codec::Step step = codec_->step(block_.data() + at_, filled_ - at_, to, most);
      at_ += step.used;
      if (step.used > 0 || step.ended) within_member_ = !step.ended;
      damage_ = step.error;
      if (step.produced > 0) return step.produced;
      if (damage_.empty() && at_ == filled_ && !refill()) return 0;
    }
  }

  bool skip(std::uint64_t bytes) override {
    std::vector<char> sink(kBlockBytes);
    while (bytes > 0) {
      const std::size_t got = read(sink.data(), std::min<std::uint64_t>(sink.size(), bytes));
      if (got == 0) return false;
      bytes -= got;
    }
    return true;
  }

  const std::string& name() const override { return input_.path(); }
  std::uint64_t stored_bytes() const override { return input_.offset() - (filled_ - at_); }

 private:
  bool refill() {
    at_ = 0;
    filled_ = input_.read(block_.data(), block_.size());
    if (filled_ > 0) return true;
    if (within_member_) fail("ends too early", "the compressed data is cut off");
    return false;
  }

  [[noreturn]] void fail(std::string_view what, std::string_view why) const {
    throw Failure(Exit::kUnreadable,
                  fmt::format("{} {}, at byte {}: {}; the records before it were read. Get a "
                              "complete copy of the file and rerun the command",
                              input_.path(), what, stored_bytes(), why));
  }

  RawInput input_;
  std::unique_ptr<Codec> codec_;
  std::vector<char> block_;
  std::size_t at_ = 0;      // of block_: the next byte to decompress
  std::size_t filled_ = 0;  // of block_
  bool within_member_ = false;
  std::string damage_;
};

// An upload or a compressor that was cut off at once leaves a file without a byte.
void require_start(const RawInput& input, const Format& format) {
  const std::string_view head = input.head();
  if (!without_query(input.path()).ends_with(format.suffix) || head.size() >= format.start.size() ||
      !format.start.starts_with(head))
    return;
  throw Failure(Exit::kUnreadable,
                fmt::format("{} ends too early, at byte {}: even without data a {} file has a "
                            "header. Get a complete copy of the file and rerun the command",
                            input.path(), head.size(), format.suffix));
}

}  // namespace

Compression compression_of(std::string_view head) {
  for (const Format& format : kFormats)
    if (head.starts_with(format.start)) return format.compression;
  // A skippable frame, which parallel compressors write first.
  const bool skippable =
      head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18"sv;
  return skippable ? Compression::kZstd : Compression::kNone;
}

std::string_view without_compression(std::string_view path) {
  path = without_query(path);
  for (const Format& format : kFormats)
    if (path.ends_with(format.suffix)) return path.substr(0, path.size() - format.suffix.size());
  return path;
}

std::unique_ptr<ByteStream> open_stream(RawInput input) {
  const Compression compression = compression_of(input.head());
  for (const Format& format : kFormats) {
    require_start(input, format);
    if (format.compression == compression)
      return std::make_unique<CompressedStream>(std::move(input), format.codec());
  }
  return std::make_unique<PlainStream>(std::move(input));
}

}  // namespace neardup
