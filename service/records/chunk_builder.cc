#include "service/records/chunk_builder.h"

#include "pipeline/model/text_batch.h"

namespace neardup {
namespace {

// Visits the parts of a record in the order in which their bytes are in the buffer.
template <class Visit>
void visit_parts(RawRecord& record, std::span<RawHeader> headers, Visit visit) {
  visit(record.bytes);
  if (record.key) visit(*record.key);
  for (RawHeader& header : headers) {
    visit(header.name);
    if (header.value) visit(*header.value);
  }
}

}  // namespace

ChunkBuilder::ChunkBuilder(RawChunk& chunk) : chunk_(chunk) {
  chunk_.buffer.clear();
  chunk_.headers.clear();
  chunk_.records.clear();
  chunk_.ends_batch = false;
  chunk_.sketched.reset();
}

void ChunkBuilder::add(const RawRecord& record) {
  const std::size_t first = chunk_.headers.size();
  chunk_.headers.insert(chunk_.headers.end(), record.headers.begin(), record.headers.end());
  chunk_.records.push_back(record);
  visit_parts(chunk_.records.back(), std::span(chunk_.headers).subspan(first),
              [this](std::string_view part) { chunk_.buffer.append(part); });
}

void ChunkBuilder::seal() {
  chunk_.buffer.append(kTextPadding, '\0');
  const std::string_view buffer = chunk_.buffer;
  std::size_t at = 0;
  std::size_t first_header = 0;
  for (RawRecord& record : chunk_.records) {
    const auto headers = std::span(chunk_.headers).subspan(first_header, record.headers.size());
    visit_parts(record, headers, [&](std::string_view& part) {
      part = buffer.substr(at, part.size());
      at += part.size();
    });
    record.headers = headers;
    first_header += headers.size();
  }
}

}  // namespace neardup
