#include "gpu/cuda/piece_builder.h"

#include <algorithm>

namespace neardup::cuda {
namespace {

enum class Length : std::uint8_t { kShort, kBlock, kLong };

Length length_of(std::size_t bytes) {
  if (bytes < kShortText) return Length::kShort;
  return bytes < kLongText ? Length::kBlock : Length::kLong;
}

}  // namespace

std::size_t PieceBuilder::build(const TextBatch& texts, std::span<const SketchTask> tasks) {
  const std::size_t taken = take(texts, tasks);
  const auto length = [&](const SketchTask& task) {
    return length_of(texts.text(task.text).size());
  };
  order_.assign(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(taken));
  std::stable_sort(order_.begin(), order_.end(),
                   [&](const SketchTask& a, const SketchTask& b) { return length(a) < length(b); });
  const auto first_of = [&](Length wanted) {
    const auto at = std::partition_point(order_.begin(), order_.end(), [&](const SketchTask& task) {
      return length(task) < wanted;
    });
    return static_cast<std::uint32_t>(at - order_.begin());
  };
  short_end_ = first_of(Length::kBlock);
  long_begin_ = first_of(Length::kLong);
  documents_.clear();
  segments_.clear();
  text_bytes_ = units_ = 0;
  for (const SketchTask& task : order_) add(texts, task);
  return taken;
}

std::size_t PieceBuilder::take(const TextBatch& texts, std::span<const SketchTask> tasks) {
  std::uint64_t bytes = 0;
  std::uint64_t units = 0;
  std::size_t taken = 0;
  for (; taken < tasks.size() && taken < limits_.documents; ++taken) {
    const std::size_t size = texts.text(tasks[taken].text).size();
    bytes += size;
    units += most_units(unit_, size);
    if (bytes > limits_.text_bytes || units > limits_.units) break;
  }
  return taken;
}

void PieceBuilder::add(const TextBatch& texts, const SketchTask& task) {
  const auto length = static_cast<std::uint32_t>(texts.text(task.text).size());
  Document document{text_bytes_, units_, task.namespace_hash, length, 0, 0};
  if (length_of(length) == Length::kLong) {
    document.segment = static_cast<std::uint32_t>(segments_.size());
    document.segments = (length + kSegmentBytes - 1) / kSegmentBytes;
    for (std::uint32_t begin = 0; begin < length; begin += kSegmentBytes) {
      segments_.push_back({static_cast<std::uint32_t>(documents_.size()), begin,
                           std::min(begin + kSegmentBytes, length)});
    }
  }
  documents_.push_back(document);
  text_bytes_ += length;
  units_ += most_units(unit_, length);
}

Piece PieceBuilder::counts() const {
  Piece piece{};
  piece.short_end = short_end_;
  piece.long_begin = long_begin_;
  piece.document_count = static_cast<std::uint32_t>(documents_.size());
  piece.segment_count = static_cast<std::uint32_t>(segments_.size());
  return piece;
}

}  // namespace neardup::cuda
