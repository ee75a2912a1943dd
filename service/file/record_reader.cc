#include "service/file/record_reader.h"

#include <utility>

#include "service/file/byte_stream.h"
#include "service/file/line_reader.h"

namespace neardup {

std::unique_ptr<RecordReader> open_reader(RawInput input, std::uint64_t max_record_bytes) {
  return std::make_unique<LineReader>(open_stream(std::move(input)), max_record_bytes);
}

}  // namespace neardup
