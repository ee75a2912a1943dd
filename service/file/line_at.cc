#include "service/file/line_at.h"

#include <fmt/core.h>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "service/file/byte_stream.h"
#include "service/file/line_reader.h"

namespace neardup {

std::string read_line_at(const LineOfInput& place, std::uint64_t max_bytes) {
  LineReader reader(open_stream(RawInput(place.path)), max_bytes);
  Line line;
  for (std::string bytes; reader.next(bytes, line); bytes.clear()) {
    if (line.number < place.line) continue;
    if (line.number > place.line) break;
    if (line.too_large) {
      throw Failure(Exit::kUnreadable, fmt::format("{}:{}: longer than input.max_record_bytes ({})",
                                                   place.path, place.line, max_bytes));
    }
    bytes.append(kTextPadding, '\0');
    return bytes;
  }
  throw Failure(Exit::kUnreadable,
                fmt::format("{}:{}: the file has no record in this line", place.path, place.line));
}

}  // namespace neardup
