// Writes a segment, column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/similar/segment.h"

namespace neardup {

struct SegmentRange {
  Seq first = 0;
  Seq end = 0;
  SegmentKind kind;
};

// Fills the postings of one position: kKeywordValues + 1 starts and a place for each document.
using FillColumn = std::function<void(std::uint32_t position, std::span<std::uint32_t> starts,
                                      std::span<std::uint32_t> places)>;

// The file is complete or does not exist: it gets its name last. Throws Failure(kIo). `seqs` are
// ascending.
void write_segment(const std::string& path, const SegmentRange& range, std::span<const Seq> seqs,
                   const FillColumn& fill);

// The same in memory.
SegmentBytes make_segment(const SegmentRange& range, std::span<const Seq> seqs,
                          const FillColumn& fill);

// Columns of documents whose keywords at a position are values(position), in the order of their
// places.
FillColumn column_of_values(
    std::function<std::span<const std::uint16_t>(std::uint32_t position)> values);

// Columns of neighbouring segments, oldest first. places[i][p] is the new place of the document at
// place p of sources[i], or kDropped. The references must outlive the function.
inline constexpr std::uint32_t kDropped = 0xffffffff;
FillColumn column_of_segments(std::span<const std::shared_ptr<const Segment>> sources,
                              std::span<const std::vector<std::uint32_t>> places);

}  // namespace neardup
