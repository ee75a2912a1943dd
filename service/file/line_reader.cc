#include "service/file/line_reader.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "pipeline/base/failure.h"
#include "service/records/foreign_form.h"

namespace neardup {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

// Its lines would be split within characters.
void require_no_utf16(std::string_view start, const std::string& name) {
  const std::string_view coding = utf16_name(start);
  if (coding.empty()) return;
  throw Failure(Exit::kUnreadable, fmt::format("{} is {}, and records are UTF-8: convert it with "
                                               "`iconv -f {} -t UTF-8` and rerun the command",
                                               name, coding, coding));
}

LineReader::LineReader(std::unique_ptr<ByteStream> stream, std::uint64_t max_line_bytes)
    : stream_(std::move(stream)),
      max_line_bytes_(max_line_bytes),
      block_(std::make_unique_for_overwrite<char[]>(kReadAtOnce)) {}

bool LineReader::resume(const LinePosition& position) {
  position_ = position;
  return stream_->skip(position.bytes);
}

bool LineReader::fill() {
  at_ = 0;
  filled_ = 0;  // also when read throws
  filled_ = stream_->read(block_.get(), kReadAtOnce);
  if (position_.bytes == 0) require_no_utf16({block_.get(), filled_}, stream_->name());
  return filled_ > 0;
}

bool LineReader::next(std::string& buffer, Line& line) {
  const std::size_t start = buffer.size();
  while (read_line(buffer, line)) {
    trim(buffer, start, line);
    if (line.too_large || !blank(std::string_view(buffer).substr(start, line.size))) return true;
    buffer.resize(start);
  }
  return false;
}

// One line as it is. False: nothing is left.
bool LineReader::read_line(std::string& buffer, Line& line) {
  const std::size_t start = buffer.size();
  line = {.number = position_.lines + 1};
  while (!line.ended && (at_ < filled_ || fill())) {
    const char* from = block_.get() + at_;
    const void* end = std::memchr(from, '\n', filled_ - at_);
    line.ended = end != nullptr;
    const std::size_t size =
        line.ended ? static_cast<std::size_t>(static_cast<const char*>(end) - from) : filled_ - at_;
    line.size += size;
    if (line.size > max_line_bytes_) line.too_large = true;
    if (line.too_large) {
      buffer.resize(start);
    } else {
      buffer.append(from, size + (keeps_stored_ && line.ended ? 1 : 0));
    }
    at_ += size + line.ended;
    position_.bytes += size + line.ended;
  }
  position_.lines += line.ended;
  return line.ended || line.size > 0;
}

void LineReader::trim(std::string& buffer, std::size_t start, Line& line) const {
  if (line.too_large) return;
  if (line.number == 1 && std::string_view(buffer).substr(start).starts_with(kByteOrderMark)) {
    buffer.erase(start, kByteOrderMark.size());
  }
  const std::size_t end = buffer.size() - (keeps_stored_ && line.ended ? 1 : 0);
  const bool has_return = end > start && buffer[end - 1] == '\r';
  line.size = end - start - (has_return ? 1 : 0);
  if (keeps_stored_) {
    line.stored_size = buffer.size() - start;
  } else {
    buffer.resize(start + line.size);
  }
}

}  // namespace neardup
