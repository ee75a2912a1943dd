// Segments of the index of keywords that have the right checksum and say anything else: a small one
// in which numbers are changed. It is refused, or nothing in it leads out of it.
//
//   input  := byte number of documents, change*
//   change := 4 bytes place (a number of 32 bits), 4 bytes that number; little-endian
#include <xxhash.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "storage/similar/segment_writer.h"

namespace neardup {
namespace {

constexpr SegmentKind kKind{77, KeywordSource::kSketch, 1};
constexpr Seq kFirst = 65'000;  // so that the documents lie in two blocks
constexpr Seq kStep = 100;
constexpr std::size_t kMostChanges = 64;

void require(bool holds) {
  if (!holds) std::abort();
}

SegmentBytes segment_of(std::size_t documents) {
  std::vector<Seq> seqs;
  std::vector<std::uint16_t> values;
  for (std::size_t i = 0; i < documents; ++i) {
    seqs.push_back(kFirst + i * kStep);
    values.push_back(static_cast<std::uint16_t>(i * 9973));
  }
  const SegmentRange range{kFirst, kFirst + documents * kStep + 1, kKind};
  return make_segment(range, seqs, column_of_values([&](std::uint32_t) {
                        return std::span<const std::uint16_t>(values);
                      }));
}

// A copy with changes, and the checksum of these.
SegmentBytes changed(const SegmentBytes& whole, std::span<const std::uint8_t> changes) {
  const std::size_t size = whole.bytes.size();
  const auto numbers = std::make_shared<std::vector<std::uint32_t>>(size / 4);
  std::memcpy(numbers->data(), whole.bytes.data(), size);
  for (std::size_t i = 0; i < kMostChanges && changes.size() >= 8; ++i) {
    std::array<std::uint32_t, 2> change{};
    std::memcpy(change.data(), changes.data(), sizeof change);
    (*numbers)[change[0] % numbers->size()] = change[1];
    changes = changes.subspan(8);
  }
  const std::span bytes = std::as_bytes(std::span(*numbers));
  const auto checked = bytes.subspan(offsetof(SegmentHeader, identity));
  const std::uint64_t checksum = XXH3_64bits(checked.data(), checked.size());
  std::memcpy(reinterpret_cast<char*>(numbers->data()) + offsetof(SegmentHeader, checksum),
              &checksum, sizeof checksum);
  return {numbers, bytes};
}

// As searches and merges do.
void read(const Segment& segment) {
  Seq least = segment.first();
  for (std::uint32_t place = 0; place < segment.documents(); ++place) {
    const Seq seq = segment.seq(place);
    require(seq >= least && seq < segment.end());
    least = seq + 1;
  }
  std::vector<std::uint32_t> counts(segment.documents());
  const KeywordPostings& postings = segment.postings();
  for (std::uint32_t position = 0; position < postings.keywords; ++position) {
    const std::uint32_t* starts = postings.starts(position);
    for (std::uint32_t value = 0; value < postings.values; ++value) {
      for (std::uint32_t at = starts[value]; at < starts[value + 1]; ++at)
        ++counts[postings.places(position)[at]];
    }
  }
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::array<neardup::SegmentBytes, 256> wholes;
  if (size == 0) return 0;
  neardup::SegmentBytes& whole = wholes[data[0]];
  if (whole.bytes.empty()) whole = neardup::segment_of(std::size_t{data[0]} + 1);
  const auto segment =
      neardup::Segment::parse(neardup::changed(whole, {data + 1, size - 1}), neardup::kKind);
  neardup::require(size > 8 || segment != nullptr);
  if (segment) neardup::read(*segment);
  return 0;
}
