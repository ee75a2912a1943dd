#include "storage/similar/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "storage/similar/segment_format.h"

namespace neardup {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kChecked = offsetof(SegmentHeader, identity);  // the checksum begins here

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

SegmentBytes map_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status = {};
  const bool known = ::fstat(file, &status) == 0 && status.st_size > 0;
  const auto size = static_cast<std::size_t>(known ? status.st_size : 0);
  void* memory = known ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  ::close(file);
  if (memory == MAP_FAILED) return {};
  std::shared_ptr<const void> owner(memory, [size](void* mapped) { ::munmap(mapped, size); });
  return {std::move(owner), {static_cast<const std::byte*>(memory), size}};
}

bool is_whole(const SegmentHeader& header, std::span<const std::byte> bytes) {
  if (header.magic != kSegmentMagic || header.end <= header.first) return false;
  if (header.documents > header.end - header.first) return false;
  if (segment_layout(header).size != bytes.size()) return false;
  const auto checked = bytes.subspan(kChecked);
  return XXH3_64bits(checked.data(), checked.size()) == header.checksum;
}

}  // namespace

SegmentLayout segment_layout(const SegmentHeader& header) {
  constexpr std::uint64_t kNumber = sizeof(std::uint32_t);
  SegmentLayout layout;
  layout.blocks = (header.end - 1) / Segment::kBlockSeqs - header.first / Segment::kBlockSeqs + 1;
  layout.block_ends = sizeof(SegmentHeader);
  layout.low_bits = aligned(layout.block_ends + layout.blocks * kNumber);
  layout.columns =
      aligned(layout.low_bits + std::uint64_t{header.documents} * sizeof(std::uint16_t));
  const KeywordPostings postings{header.documents, header.keywords};
  layout.size = layout.columns + header.keywords * postings.column_size() * kNumber;
  return layout;
}

double keyword_bytes(std::uint32_t keywords) {
  SegmentHeader header;
  header.end = header.documents = kMostSegmentDocuments;
  header.keywords = keywords;
  return static_cast<double>(segment_layout(header).size) / kMostSegmentDocuments;
}

std::shared_ptr<const Segment> Segment::parse(SegmentBytes bytes, const SegmentKind& kind) {
  SegmentHeader header;
  if (bytes.bytes.size() < sizeof header) return nullptr;
  std::memcpy(&header, bytes.bytes.data(), sizeof header);
  if (header.kind() != kind || !is_whole(header, bytes.bytes)) return nullptr;
  const SegmentLayout layout = segment_layout(header);
  const auto segment = std::make_shared<Segment>();
  const std::byte* data = bytes.bytes.data();
  segment->first_ = header.first;
  segment->end_ = header.end;
  segment->first_block_ = header.first / kBlockSeqs * kBlockSeqs;
  segment->block_ends_ = reinterpret_cast<const std::uint32_t*>(data + layout.block_ends);
  segment->low_bits_ = reinterpret_cast<const std::uint16_t*>(data + layout.low_bits);
  segment->postings_ = {header.documents, header.keywords, kKeywordValues,
                        reinterpret_cast<const std::uint32_t*>(data + layout.columns)};
  segment->bytes_ = std::move(bytes);
  return segment;
}

std::optional<SegmentKind> Segment::kind_of(const std::string& path) {
  const SegmentBytes file = map_file(path);
  SegmentHeader header;
  if (file.bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.bytes.data(), sizeof header);
  if (header.magic != kSegmentMagic) return std::nullopt;
  return header.kind();
}

std::shared_ptr<const Segment> Segment::open(const std::string& path, const SegmentKind& kind) {
  return parse(map_file(path), kind);
}

}  // namespace neardup
