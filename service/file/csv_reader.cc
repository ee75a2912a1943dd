// CSV as in RFC 4180, and TSV, whose fields are separated by tabs: the first row names the fields.
#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "service/file/block_reader.h"
#include "service/file/record_reader.h"

namespace neardup {
namespace {

constexpr std::size_t kMostHeaderBytes = std::size_t{64} << 10;
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

std::string_view without_line_end(std::string_view row) {
  if (row.ends_with('\n')) row.remove_suffix(1);
  if (row.ends_with('\r')) row.remove_suffix(1);
  return row;
}

// The fields of one row, from left to right.
class RowFields {
 public:
  RowFields(std::string_view row, char delimiter) : row_(row), delimiter_(delimiter) {}

  bool more() const { return at_ <= row_.size(); }

  // Passes the parts of the next field to `take`, unquoted. False: something follows its closing
  // quote.
  template <class Take>
  bool next(const Take& take) {
    quoted_ = at_ < row_.size() && row_[at_] == '"';
    if (quoted_) read_quoted(take);
    const std::size_t end = std::min(row_.find(delimiter_, at_), row_.size());
    const std::string_view rest = row_.substr(at_, end - at_);
    at_ = end + 1;
    if (quoted_) return rest.empty();
    take(rest);
    return true;
  }
  bool quoted() const { return quoted_; }  // the last one

 private:
  // Requires: the quote is closed. Two quotes are one.
  template <class Take>
  void read_quoted(const Take& take) {
    while (true) {
      const std::size_t begin = at_ + 1;
      at_ = std::min(row_.find('"', begin), row_.size());
      const bool doubled = row_.substr(at_).starts_with("\"\"");
      take(row_.substr(begin, at_ - begin + (doubled ? 1 : 0)));
      at_ = std::min(at_ + 1, row_.size());
      if (!doubled) return;
    }
  }

  std::string_view row_;
  char delimiter_;
  std::size_t at_ = 0;
  bool quoted_ = false;
};

class CsvReader : public RecordReader {
 public:
  CsvReader(std::unique_ptr<ByteStream> stream, std::uint64_t max_record_bytes, char delimiter)
      : blocks_(std::move(stream)), max_record_bytes_(max_record_bytes), delimiter_(delimiter) {}

  bool resume(const LinePosition& position) override {
    read_header();
    position_ = position;
    lines_ = position.lines;
    return blocks_.skip_to(position.bytes);
  }
  void keep_stored() override { keeps_stored_ = true; }
  bool next(std::string& buffer, Line& line) override;
  std::string_view format() const override { return delimiter_ == ',' ? "CSV" : "TSV"; }
  std::string head() override {
    read_header();
    return header_;
  }
  const LinePosition& position() const override { return position_; }
  std::uint64_t stored_bytes() const override { return blocks_.stored_bytes(); }

 private:
  enum class Within : std::uint8_t { kStart, kPlain, kQuoted, kClosed };  // of a field

  bool read_row(std::uint64_t most, Line& line);
  std::size_t scan(std::string_view bytes, Within& within, Line& line);
  void read_header();
  void name_field(std::string name, std::uint64_t line);
  std::string append_fields(std::string& buffer) const;
  [[noreturn]] void fail(std::uint64_t line, std::string_view what) const;

  BlockReader blocks_;
  std::uint64_t max_record_bytes_;
  char delimiter_;
  bool keeps_stored_ = false;
  bool has_header_ = false;
  std::string header_;             // as stored
  std::vector<std::string> keys_;  // "name": of each field
  std::set<std::string> names_;
  std::string row_;               // the current one, as stored
  std::uint64_t lines_ = 0;       // line ends taken
  std::uint64_t quote_line_ = 0;  // where the last quote was opened
  LinePosition position_;
};

// Takes bytes of a row, up to its end.
std::size_t CsvReader::scan(std::string_view bytes, Within& within, Line& line) {
  std::size_t at = 0;
  while (at < bytes.size() && !line.ended) {
    const char* const from = bytes.data() + at;
    const char* const end = bytes.data() + bytes.size();
    if (within == Within::kStart) {
      within = *from == '"' ? Within::kQuoted : Within::kPlain;
      if (within == Within::kPlain) continue;
      quote_line_ = lines_ + 1;
      ++at;
    } else if (within == Within::kPlain) {
      const char* stop =
          std::find_if(from, end, [this](char c) { return c == delimiter_ || c == '\n'; });
      at = static_cast<std::size_t>(stop - bytes.data());
      if (stop == end) break;
      line.ended = *stop == '\n';
      lines_ += line.ended;
      within = Within::kStart;
      ++at;
    } else if (within == Within::kQuoted) {
      const void* quote = std::memchr(from, '"', static_cast<std::size_t>(end - from));
      const char* stop = quote != nullptr ? static_cast<const char*>(quote) : end;
      lines_ += static_cast<std::uint64_t>(std::count(from, stop, '\n'));
      at = static_cast<std::size_t>(stop - bytes.data());
      if (stop == end) break;
      within = Within::kClosed;
      ++at;
    } else {
      within = *from == '"' ? Within::kQuoted : Within::kPlain;
      at += within == Within::kQuoted ? 1 : 0;
    }
  }
  return at;
}

// Into `row_`, behind what it holds. False: nothing is left.
bool CsvReader::read_row(std::uint64_t most, Line& line) {
  line = {.number = lines_ + 1};
  line.size = row_.size();
  Within within = Within::kStart;
  while (!line.ended) {
    const std::string_view ahead = blocks_.ahead();
    if (ahead.empty()) break;
    const std::size_t taken = scan(ahead, within, line);
    line.size += taken - (line.ended ? 1 : 0);
    line.too_large = line.too_large || line.size > most;
    if (line.too_large) {
      row_.clear();
    } else {
      row_.append(ahead.substr(0, taken));
    }
    blocks_.take(taken);
  }
  if (within == Within::kQuoted) {
    fail(
        quote_line_,
        "a quote is opened there and not closed up to the end of the file: the rows before it were "
        "read. Close it, or double quotes within quoted fields");
  }
  return line.ended || line.size > 0;
}

bool CsvReader::next(std::string& buffer, Line& line) {
  read_header();
  row_.clear();
  while (read_row(max_record_bytes_, line)) {
    position_ = {blocks_.position(), lines_};
    if (line.too_large) return true;
    if (without_line_end(row_).empty()) {
      row_.clear();
      continue;
    }
    const std::size_t start = buffer.size();
    const std::string fault = append_fields(buffer);
    line.faulty = !fault.empty();
    if (line.faulty) buffer.replace(start, buffer.npos, fault);
    line.size = buffer.size() - start;
    line.stored_at = line.size;
    if (keeps_stored_) buffer.append(row_);
    line.stored_size = keeps_stored_ ? row_.size() : 0;
    return true;
  }
  position_ = {blocks_.position(), lines_};
  return false;
}

// `row_` as an object. Not empty: what is wrong with it.
std::string CsvReader::append_fields(std::string& buffer) const {
  RowFields fields(without_line_end(row_), delimiter_);
  std::size_t count = 0;
  buffer += '{';
  const std::size_t first = buffer.size();
  for (; fields.more(); ++count) {
    const std::size_t start = buffer.size();
    if (start > first) buffer += ',';
    if (count < keys_.size()) buffer.append(keys_[count]);
    buffer += '"';
    const std::size_t value = buffer.size();
    if (!fields.next([&](std::string_view part) { append_json_bytes(part, buffer); })) {
      return fmt::format(
          "something follows the closing quote of field {}: write quotes within a quoted field "
          "twice",
          count + 1);
    }
    const bool left_out = count >= keys_.size() || (buffer.size() == value && !fields.quoted());
    if (left_out) {
      buffer.resize(start);
    } else {
      buffer += '"';
    }
  }
  buffer += '}';
  if (count == keys_.size()) return "";
  return fmt::format(
      "the row has {} field{}, and the header has {}: quote fields that hold a {}, a quote or a "
      "line end",
      count, count == 1 ? "" : "s", keys_.size(), delimiter_ == ',' ? "comma" : "tab");
}

// The names of the fields, once.
void CsvReader::read_header() {
  if (std::exchange(has_header_, true)) return;
  std::size_t mark = 0;  // bytes of a byte order mark
  for (; mark < kUtf8Mark.size(); ++mark) {
    const std::string_view ahead = blocks_.ahead();
    if (ahead.empty() || ahead.front() != kUtf8Mark[mark]) break;
    blocks_.take(1);
  }
  if (mark < kUtf8Mark.size()) row_ = kUtf8Mark.substr(0, mark);
  Line line;
  while (read_row(kMostHeaderBytes, line) && !line.too_large && without_line_end(row_).empty())
    row_.clear();
  if (line.too_large) {
    fail(line.number, fmt::format("the first row, which names the fields, has more than {} bytes: "
                                  "write such a row above the others",
                                  kMostHeaderBytes));
  }
  header_ = row_;
  RowFields fields(without_line_end(row_), delimiter_);
  while (!row_.empty() && fields.more()) {
    std::string name;
    if (!fields.next([&](std::string_view part) { name.append(part); })) {
      fail(line.number, fmt::format("something follows the closing quote of column {}: write "
                                    "quotes within a quoted field twice",
                                    keys_.size() + 1));
    }
    name_field(std::move(name), line.number);
  }
  position_ = {blocks_.position(), lines_};
}

void CsvReader::name_field(std::string name, std::uint64_t line) {
  std::string key = "\"";
  append_json_bytes(name, key);
  keys_.push_back(key + "\":");
  if (names_.insert(name).second) return;
  fail(line, fmt::format("the first row names the column {} twice, the second time as column {}: "
                         "give each column another name",
                         json_text(name), keys_.size()));
}

void CsvReader::fail(std::uint64_t line, std::string_view what) const {
  throw Failure(Exit::kUnreadable,
                fmt::format("{}, line {}: {}, and rerun the command", blocks_.name(), line, what));
}

}  // namespace

std::unique_ptr<RecordReader> make_csv_reader(std::unique_ptr<ByteStream> stream,
                                              std::uint64_t max_record_bytes, char delimiter) {
  return std::make_unique<CsvReader>(std::move(stream), max_record_bytes, delimiter);
}

}  // namespace neardup
