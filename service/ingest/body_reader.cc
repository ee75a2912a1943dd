#include "service/ingest/body_reader.h"

#include <algorithm>
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

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank_byte(char byte) { return byte == '\n' || byte == '\r' || byte == ' ' || byte == '\t'; }
bool blank(std::string_view line) { return std::ranges::all_of(line, blank_byte); }

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

bool RecordLines::next(std::string_view& piece, RawRecord& record) {
  while (!piece.empty()) {
    begin_line();
    if (form_ == BodyForm::kLines && size_ == 0) skip_blank_lines(piece);
    const std::size_t end = form_ == BodyForm::kLines ? piece.find('\n') : piece.npos;
    append(piece.substr(0, end));
    if (end == piece.npos) {
      piece = {};
      return false;
    }
    piece.remove_prefix(end + 1);
    if (finish_line(record)) return true;
  }
  return false;
}

bool RecordLines::last(RawRecord& record) {
  begin_line();
  return finish_line(record);
}

// After the line that was given; else it has begun.
void RecordLines::begin_line() {
  if (!given_) return;
  line_.clear();
  size_ = 0;
  ++number_;
  given_ = false;
}

// Those of `piece` up to the next record, at the cost of their bytes: a small compressed body can
// have very many. None of them is too large.
void RecordLines::skip_blank_lines(std::string_view& piece) {
  std::string_view lines = piece.substr(0, max_record_bytes_);
  const auto end = std::ranges::find_if_not(lines, blank_byte);
  lines = lines.substr(0, static_cast<std::size_t>(end - lines.begin()));
  lines = lines.substr(0, lines.rfind('\n') + 1);
  number_ += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
  piece.remove_prefix(lines.size());
}

void RecordLines::append(std::string_view bytes) {
  size_ += bytes.size();
  if (size_ <= max_record_bytes_) {
    line_.append(bytes);
  } else {
    line_.clear();
  }
}

// False: the line is blank.
bool RecordLines::finish_line(RawRecord& record) {
  given_ = true;
  std::string_view bytes = line_;
  if (number_ == 1 && bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (bytes.ends_with('\r')) bytes.remove_suffix(1);
  record = {};
  record.too_large = size_ > max_record_bytes_;
  record.bytes = bytes;
  record.size = record.too_large ? size_ : bytes.size();
  record.source.place = number_;
  return record.too_large || form_ == BodyForm::kText || !blank(bytes);
}

}  // namespace neardup
