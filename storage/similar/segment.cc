#include "storage/similar/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "storage/similar/segment_format.h"

namespace neardup {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint32_t kMostDocuments = (std::uint32_t{1} << 31) - 1;
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
  if (header.documents > header.end - header.first || header.end > kMaxSeq + 1) return false;
  if (header.keywords > kMostKeywords || header.documents > kMostDocuments) return false;
  if (segment_layout(header).size != bytes.size()) return false;
  const auto checked = bytes.subspan(kChecked);
  return XXH3_64bits(checked.data(), checked.size()) == header.checksum;
}

// The checksum proves that a file is complete, not who wrote it; searches count at its places
// without looking at them. So nothing in it may lead out of it.
bool has_sound_seqs(const SegmentHeader& header, const std::uint32_t* block_ends,
                    const std::uint16_t* low_bits) {
  const std::uint64_t blocks = segment_layout(header).blocks;
  Seq block = header.first / Segment::kBlockSeqs * Segment::kBlockSeqs;
  Seq least = header.first;
  std::uint32_t place = 0;
  for (std::uint64_t i = 0; i < blocks; ++i, block += Segment::kBlockSeqs) {
    if (block_ends[i] < place || block_ends[i] > header.documents) return false;
    for (; place < block_ends[i]; ++place) {
      const Seq seq = block + low_bits[place];
      if (seq < least || seq >= header.end) return false;
      least = seq + 1;
    }
  }
  return place == header.documents;
}

// Whether all are below `end`, which is below 2^31. Without branches: there are some for each
// document, and a file is opened whole.
bool all_below(std::span<const std::uint32_t> places, std::uint32_t end) {
  constexpr std::size_t kAtOnce = 16;
  std::array<std::uint32_t, kAtOnce> wrong{};  // the top bit of any: a place is too large
  const auto look = [&](std::size_t i, std::uint32_t place) {
    wrong[i] |= (end - 1 - place) | place;
  };
  for (; places.size() >= kAtOnce; places = places.subspan(kAtOnce)) {
    for (std::size_t i = 0; i < kAtOnce; ++i) look(i, places[i]);
  }
  for (std::size_t i = 0; i < places.size(); ++i) look(i, places[i]);
  return std::ranges::none_of(wrong, [](std::uint32_t bits) { return (bits >> 31U) != 0; });
}

bool has_sound_columns(const KeywordPostings& postings) {
  for (std::uint32_t position = 0; position < postings.keywords; ++position) {
    const std::span starts(postings.starts(position), postings.values + 1);
    const std::span places(postings.places(position), postings.documents);
    if (starts.front() != 0 || starts.back() != postings.documents) return false;
    if (!std::ranges::is_sorted(starts)) return false;
    if (!all_below(places, postings.documents)) return false;
  }
  return true;
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
  if (!has_sound_seqs(header, segment->block_ends_, segment->low_bits_) ||
      !has_sound_columns(segment->postings_)) {
    return nullptr;
  }
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
