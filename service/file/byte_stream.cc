#include "service/file/byte_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/codec.h"

namespace neardup {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
constexpr std::string_view kGzipStart = "\x1f\x8b"sv;
constexpr std::string_view kZstdStart = "\x28\xb5\x2f\xfd"sv;

class PlainStream : public ByteStream {
 public:
  explicit PlainStream(RawInput input) : input_(std::move(input)) {}

  std::size_t read(char* to, std::size_t most) override { return input_.read(to, most); }
  bool skip(std::uint64_t bytes) override {
    if (bytes > input_.size()) return false;
    input_.seek(bytes);
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
void require_start(const RawInput& input, std::string_view suffix, std::string_view start) {
  const std::string_view head = input.head();
  if (!input.path().ends_with(suffix) || head.size() >= start.size() || !start.starts_with(head))
    return;
  throw Failure(Exit::kUnreadable,
                fmt::format("{} ends too early, at byte {}: even without data a {} file has a "
                            "header. Get a complete copy of the file and rerun the command",
                            input.path(), head.size(), suffix));
}

}  // namespace

Compression compression_of(std::string_view head) {
  if (head.starts_with(kGzipStart)) return Compression::kGzip;
  if (head.starts_with(kZstdStart)) return Compression::kZstd;
  // A skippable frame, which parallel compressors write first.
  const bool skippable =
      head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18"sv;
  return skippable ? Compression::kZstd : Compression::kNone;
}

std::unique_ptr<ByteStream> open_stream(RawInput input) {
  require_start(input, ".gz", kGzipStart);
  require_start(input, ".zst", kZstdStart);
  switch (compression_of(input.head())) {
    case Compression::kGzip:
      return std::make_unique<CompressedStream>(std::move(input), make_gzip_codec());
    case Compression::kZstd:
      return std::make_unique<CompressedStream>(std::move(input), make_zstd_codec());
    case Compression::kNone:
      break;
  }
  return std::make_unique<PlainStream>(std::move(input));
}

}  // namespace neardup
