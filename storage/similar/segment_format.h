// The stored form of a segment (docs/formats/similar.md). Numbers are little-endian.
#pragma once

#include <array>
#include <cstdint>

namespace neardup {

// The source of the keywords of an index.
enum class KeywordSource : std::uint32_t {
  kSketch,  // the sketch, for the engine `match`
  kOneBit,  // the packed 1-bit sketch, for the engine `ewh`
};

// Properties shared by the segments of an index.
struct SegmentKind {
  std::uint64_t identity = 0;  // of the state and of how its sketches are made
  KeywordSource source = KeywordSource::kSketch;
  std::uint32_t keywords = 0;  // of a document
  bool operator==(const SegmentKind&) const = default;
};

inline constexpr std::array<char, 8> kSegmentMagic{'N', 'D', 'S', 'I', 'M', 'I', 'L', '1'};

// Then follow, each from a multiple of 64 bytes on: the ends of the blocks (32 bits each), the low
// bits of the seqs (16 bits each), and the columns (32 bits a number).
struct SegmentHeader {
  std::array<char, 8> magic = kSegmentMagic;
  std::uint64_t checksum = 0;  // XXH3 of all bytes after this field
  std::uint64_t identity = 0;  // of the state and of how its sketches are made
  std::uint64_t first = 0;     // the documents lie in [first, end)
  std::uint64_t end = 0;
  std::uint32_t documents = 0;
  std::uint32_t keywords = 0;
  KeywordSource source = KeywordSource::kSketch;
  std::array<std::uint32_t, 3> zero{};  // up to 64 bytes

  SegmentKind kind() const { return {identity, source, keywords}; }
};
static_assert(sizeof(SegmentHeader) == 64);

// Where the parts of a segment lie, in bytes.
struct SegmentLayout {
  std::uint64_t blocks = 0;
  std::uint64_t block_ends = 0;
  std::uint64_t low_bits = 0;
  std::uint64_t columns = 0;
  std::uint64_t size = 0;  // of all
};

SegmentLayout segment_layout(const SegmentHeader& header);

// The bytes of a document in segments of the largest size.
double keyword_bytes(std::uint32_t keywords);

}  // namespace neardup
