#include "service/ingest/record_lines.h"

namespace neardup {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == line.npos; }

}  // namespace

bool RecordLines::next(std::string_view& piece, RawRecord& record) {
  while (!piece.empty()) {
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
  append({});
  return finish_line(record);
}

void RecordLines::append(std::string_view bytes) {
  if (given_) {
    line_.clear();
    size_ = 0;
    ++number_;
    given_ = false;
  }
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
