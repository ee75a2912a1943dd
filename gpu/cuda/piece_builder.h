// Cuts the documents of a call into pieces that fit into the memory of a slot, and orders the
// documents of a piece by length, so that short ones do not wait for a long one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/backend.h"
#include "gpu/cuda/piece.h"

namespace neardup::cuda {

// A text of fewer bytes than this takes a warp.
inline constexpr std::uint32_t kShortText = 1024;
// A text of this many bytes or more is cut into segments of kSegmentBytes.
inline constexpr std::uint32_t kLongText = 64 << 10;
inline constexpr std::uint32_t kSegmentBytes = 16 << 10;

// Readable bytes behind the texts of a piece.
inline constexpr std::uint64_t kPiecePadding = 64;

struct PieceLimits {
  std::uint64_t text_bytes = 0;
  std::uint64_t units = 0;
  std::uint32_t documents = 0;
  // A piece ends behind the document with which it has so much text. The rest of text_bytes is room
  // for a large document.
  std::uint64_t enough_text = ~std::uint64_t{0};

  std::uint32_t segments() const {
    return static_cast<std::uint32_t>(text_bytes / kSegmentBytes + text_bytes / kLongText);
  }
  std::uint32_t longs() const { return static_cast<std::uint32_t>(text_bytes / kLongText); }
};

// The most units that a text of so many bytes has.
inline std::uint64_t most_units(ShingleUnit unit, std::uint64_t bytes) {
  return unit == ShingleUnit::kChar ? bytes : bytes / 2 + 1;
}

class PieceBuilder {
 public:
  PieceBuilder(ShingleUnit unit, const PieceLimits& limits) : unit_(unit), limits_(limits) {}

  // Does a text of this size fit into a piece?
  bool fits(std::size_t text_bytes) const {
    return text_bytes <= limits_.text_bytes && most_units(unit_, text_bytes) <= limits_.units;
  }

  // Builds a piece from the first of `tasks`, as many as fit, and returns their number. Requires:
  // at least one task, and each fits.
  std::size_t build(const TextBatch& texts, std::span<const SketchTask> tasks);

  // The last piece. Document i has the text texts.text(order()[i].text).
  std::span<const SketchTask> order() const { return order_; }
  std::span<const Document> documents() const { return documents_; }
  std::span<const Segment> segments() const { return segments_; }
  std::uint64_t text_bytes() const { return text_bytes_; }
  // The last piece with its counts only; the owner sets the pointers.
  Piece counts() const;

 private:
  std::size_t take(const TextBatch& texts, std::span<const SketchTask> tasks);
  void add(const TextBatch& texts, const SketchTask& task);

  ShingleUnit unit_;
  PieceLimits limits_;
  std::vector<SketchTask> order_;
  std::vector<Document> documents_;
  std::vector<Segment> segments_;
  std::uint64_t text_bytes_ = 0;
  std::uint64_t units_ = 0;
  std::uint32_t short_end_ = 0;
  std::uint32_t long_begin_ = 0;
};

}  // namespace neardup::cuda
