// WARC 1.0 and 1.1 (ISO 28500), and so WET: the blocks of records that are text.
//
//   WARC/1.0        one version line, then named fields, a line each
//   Content-Length: N
//                   an empty line, N bytes, two line ends
#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/file/block_reader.h"
#include "service/file/record_reader.h"

namespace neardup {
namespace {

constexpr std::size_t kMostHeadBytes = std::size_t{64} << 10;
constexpr std::size_t kMostKinds = 16;  // of skipped records that are told apart
constexpr std::size_t kLongestKind = 40;
constexpr std::string_view kPlainText = "text/plain", kFileInfo = "warcinfo", kOther = "other";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Of a hostile file, for a note: letters, digits and a few signs, in lower case.
std::string plain_word(std::string_view text) {
  std::string word(trimmed(text.substr(0, text.find(';'))));
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/' || c == '-' ||
                       c == '+' || c == '.' || c == '_';
    if (!plain) return std::string(kOther);
  }
  return word.size() <= kLongestKind ? word : std::string(kOther);
}

// The named fields of a record that are used; views into its head.
struct WarcHead {
  std::string_view type, content_type, payload_type, length, id, url, date;
};
using HeadField = std::pair<std::string_view, std::string_view WarcHead::*>;
constexpr std::array kHeadFields{HeadField{"WARC-Type", &WarcHead::type},
                                 HeadField{"Content-Type", &WarcHead::content_type},
                                 HeadField{"WARC-Identified-Payload-Type", &WarcHead::payload_type},
                                 HeadField{"Content-Length", &WarcHead::length},
                                 HeadField{"WARC-Record-ID", &WarcHead::id},
                                 HeadField{"WARC-Target-URI", &WarcHead::url},
                                 HeadField{"WARC-Date", &WarcHead::date}};

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

void read_field(std::string_view line, WarcHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return;
  const std::string_view name = trimmed(line.substr(0, colon));
  for (const auto& [known, field] : kHeadFields)
    if (same_name(name, known) && (head.*field).empty())
      head.*field = trimmed(line.substr(colon + 1));
}

WarcHead parse_head(std::string_view lines) {
  WarcHead head;
  while (!lines.empty()) {
    std::size_t end = lines.find('\n') + 1;
    // A line that begins with white space continues the one before it.
    while (end < lines.size() && (lines[end] == ' ' || lines[end] == '\t'))
      end = lines.find('\n', end) + 1;
    read_field(lines.substr(0, end), head);
    lines.remove_prefix(end);
  }
  return head;
}

bool is_text(const WarcHead& head) {
  const std::string type = plain_word(head.type), media = plain_word(head.content_type);
  if (type == "conversion") return media == kPlainText || head.content_type.empty();
  return (type == "resource" || type == "response") && media == kPlainText;
}

// "response (text/html)", "request".
std::string kind_of(const WarcHead& head) {
  const std::string type = plain_word(head.type);
  std::string media = plain_word(head.payload_type);
  if (media.empty() && (type == "conversion" || type == "resource"))
    media = plain_word(head.content_type);
  return media.empty() ? type : fmt::format("{} ({})", type, media);
}

std::string_view without_brackets(std::string_view uri) {
  return uri.starts_with('<') && uri.ends_with('>') ? uri.substr(1, uri.size() - 2) : uri;
}

class WarcReader : public RecordReader {
 public:
  WarcReader(std::unique_ptr<ByteStream> stream, std::uint64_t max_record_bytes)
      : blocks_(std::move(stream)), max_record_bytes_(max_record_bytes) {}

  bool resume(const LinePosition& position) override {
    position_ = position;
    return blocks_.skip_to(position.bytes);
  }
  void keep_stored() override { keeps_stored_ = true; }
  bool next(std::string& buffer, Line& line) override;
  const LinePosition& position() const override { return position_; }
  std::uint64_t stored_bytes() const override { return blocks_.stored_bytes(); }
  std::string_view format() const override { return "WARC"; }
  std::string note() const override;

 private:
  bool skip_line_ends();
  void read_head();
  std::size_t read_line();
  std::uint64_t read_length(const WarcHead& head) const;
  void read_block(std::uint64_t length, bool keep);
  void read_line_ends(std::uint64_t length, bool keep);
  void append(const WarcHead& head, std::string_view text, std::string& buffer, Line& line) const;
  void count_skipped(const WarcHead& head);
  [[noreturn]] void fail(std::string_view what) const;

  BlockReader blocks_;
  std::uint64_t max_record_bytes_;
  bool keeps_stored_ = false;
  std::string raw_;          // of the current record, as stored
  std::uint64_t begin_ = 0;  // where it begins
  LinePosition position_;
  std::map<std::string, std::uint64_t> skipped_;  // by kind
};

bool WarcReader::next(std::string& buffer, Line& line) {
  while (skip_line_ends()) {
    raw_.clear();
    begin_ = blocks_.position();
    read_head();
    const std::size_t head_size = raw_.size();
    const WarcHead ahead = parse_head(raw_);  // its views end as `raw_` grows
    const std::uint64_t length = read_length(ahead);
    const bool text = is_text(ahead), keep = text && length <= max_record_bytes_;
    read_block(length, keep);
    read_line_ends(length, keep);
    line = {.number = ++position_.lines, .size = length, .too_large = !keep, .ended = true};
    position_.bytes = blocks_.position();
    const WarcHead head = parse_head(std::string_view(raw_).substr(0, head_size));
    if (!text) {
      count_skipped(head);
      continue;
    }
    if (keep) append(head, std::string_view(raw_).substr(head_size, length), buffer, line);
    return true;
  }
  position_.bytes = blocks_.position();
  return false;
}

// Blank lines between records. False: the file ended.
bool WarcReader::skip_line_ends() {
  while (true) {
    const std::string_view ahead = blocks_.ahead();
    if (ahead.empty()) return false;
    const std::size_t ends = std::min(ahead.find_first_not_of("\r\n"), ahead.size());
    blocks_.take(ends);
    if (ends < ahead.size()) return true;
  }
}

// Into `raw_`, up to the empty line behind it.
void WarcReader::read_head() {
  constexpr std::string_view kStart = "WARC/";
  std::size_t size = read_line();
  if (!raw_.starts_with(kStart))
    fail("a record should begin there with WARC/, and the length of the one before may be wrong");
  while (size > 0) size = read_line();
}

// The size of the line without its end.
std::size_t WarcReader::read_line() {
  const std::size_t start = raw_.size();
  while (true) {
    const std::string_view ahead = blocks_.ahead();
    if (ahead.empty()) fail("the file ends within the head of this record");
    const std::size_t end = ahead.find('\n');
    const std::size_t size = end == ahead.npos ? ahead.size() : end + 1;
    if (raw_.size() + size > kMostHeadBytes)
      fail(fmt::format("the head of this record has no end within {} bytes", kMostHeadBytes));
    raw_.append(ahead.substr(0, size));
    blocks_.take(size);
    if (end != ahead.npos) return trimmed(std::string_view(raw_).substr(start)).size();
  }
}

std::uint64_t WarcReader::read_length(const WarcHead& head) const {
  std::uint64_t length = 0;
  const char* const end = head.length.data() + head.length.size();
  const auto [read_to, error] = std::from_chars(head.length.data(), end, length);
  if (head.length.empty() || error != std::errc() || read_to != end)
    fail("the Content-Length of this record is missing or no number");
  return length;
}

void WarcReader::read_block(std::uint64_t length, bool keep) {
  for (std::uint64_t rest = length; rest > 0;) {
    const std::string_view ahead = blocks_.ahead();
    if (ahead.empty())
      fail(fmt::format("the file ends {} bytes before the end of this record", rest));
    const std::string_view part = ahead.substr(0, std::min<std::uint64_t>(rest, ahead.size()));
    if (keep) raw_.append(part);
    blocks_.take(part.size());
    rest -= part.size();
  }
}

// Two of one kind.
void WarcReader::read_line_ends(std::uint64_t length, bool keep) {
  const auto front = [this] {
    const std::string_view ahead = blocks_.ahead();
    if (ahead.empty()) fail("the file ends before the two line ends behind this record");
    return ahead.front();
  };
  for (const char wanted : std::string_view(front() == '\r' ? "\r\n\r\n" : "\n\n")) {
    if (front() != wanted) {
      fail(fmt::format("no two line ends follow its {} bytes, so its Content-Length is wrong",
                       length));
    }
    if (keep) raw_ += wanted;
    blocks_.take(1);
  }
}

void WarcReader::append(const WarcHead& head, std::string_view text, std::string& buffer,
                        Line& line) const {
  const std::size_t start = buffer.size();
  const auto field = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    buffer.append("\"").append(name).append("\":\"");
    append_json_bytes(value, buffer);
    buffer.append("\",");
  };
  buffer += '{';
  field("id", without_brackets(head.id));
  field("url", without_brackets(head.url));
  field("ts", head.date);
  buffer.append("\"text\":\"");
  append_json_bytes(text, buffer);
  buffer.append("\"}");
  line.size = buffer.size() - start;
  line.stored_at = line.size;
  if (!keeps_stored_) return;
  line.stored_size = raw_.size();
  buffer.append(raw_);
}

void WarcReader::count_skipped(const WarcHead& head) {
  std::string kind = kind_of(head);
  if (skipped_.size() >= kMostKinds && !skipped_.contains(kind)) kind = kOther;
  ++skipped_[kind];
}

// That a file has a record about itself goes without saying.
std::string WarcReader::note() const {
  std::vector<std::pair<std::string, std::uint64_t>> kinds(skipped_.begin(), skipped_.end());
  std::ranges::stable_sort(kinds, std::greater(), &decltype(kinds)::value_type::second);
  std::uint64_t all = 0;
  std::string list;
  bool html = false, only_info = true;
  for (const auto& [kind, count] : kinds) {
    all += count;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", kind, count);
    html = html || kind.find("html") != kind.npos;
    only_info = only_info && kind == kFileInfo;
  }
  if (only_info) return "";
  return fmt::format(
      "{}: {} record{} without a text {} skipped: {}{}", blocks_.name(), all, all == 1 ? "" : "s",
      all == 1 ? "was" : "were", list,
      html ? "; extract the text of HTML first, or take the WET files of the crawl" : "");
}

void WarcReader::fail(std::string_view what) const {
  throw Failure(Exit::kUnreadable,
                fmt::format("{} cannot be read from record {} on, at byte {} of its decompressed "
                            "bytes: {}; the records before it were read. Get a complete copy of "
                            "the file and rerun the command",
                            blocks_.name(), position_.lines + 1, begin_, what));
}

}  // namespace

std::unique_ptr<RecordReader> make_warc_reader(std::unique_ptr<ByteStream> stream,
                                               std::uint64_t max_record_bytes) {
  return std::make_unique<WarcReader>(std::move(stream), max_record_bytes);
}

}  // namespace neardup
