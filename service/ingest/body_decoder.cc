#include "service/ingest/body_decoder.h"

#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kDecodedAtOnce = std::size_t{64} << 10;
constexpr int kLargestWindow = 23;  // 8 MiB, which every encoder keeps to (RFC 9659)

std::unique_ptr<Codec> codec_of(BodyCoding coding) {
  switch (coding) {
    case BodyCoding::kGzip:
      return make_gzip_codec();
    case BodyCoding::kZstd:
      return make_zstd_codec(kLargestWindow);
    case BodyCoding::kNone:
      break;
  }
  return nullptr;
}

}  // namespace

std::optional<BodyCoding> coding_of(std::string_view content_encoding) {
  if (content_encoding.empty() || content_encoding == "identity") return BodyCoding::kNone;
  if (content_encoding == "gzip" || content_encoding == "x-gzip") return BodyCoding::kGzip;
  if (content_encoding == "zstd") return BodyCoding::kZstd;
  return std::nullopt;
}

BodyDecoder::BodyDecoder(BodyCoding coding) : codec_(codec_of(coding)), complete_(!codec_) {}

bool BodyDecoder::next(std::string_view& piece, std::string_view& text) {
  if (!codec_) {
    text = std::exchange(piece, {});
    return !text.empty();
  }
  decoded_.resize(kDecodedAtOnce);
  while (damage_.empty()) {
    if (piece.empty() && complete_) return false;
    const Codec::Step step =
        codec_->step(piece.data(), piece.size(), decoded_.data(), decoded_.size());
    piece.remove_prefix(step.used);
    damage_ = step.error;
    complete_ = step.ended;
    text = std::string_view(decoded_).substr(0, step.produced);
    if (step.produced > 0) return true;
    if (step.used == 0 && !step.ended) return false;
  }
  piece = {};
  return false;
}

}  // namespace neardup
