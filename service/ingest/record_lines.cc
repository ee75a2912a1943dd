#include "service/ingest/record_lines.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank_byte(char byte) { return byte == '\n' || byte == '\r' || byte == ' ' || byte == '\t'; }
bool blank(std::string_view line) { return std::ranges::all_of(line, blank_byte); }

}  // namespace

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
