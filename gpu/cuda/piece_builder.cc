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
  order_.clear();
  documents_.clear();
  segments_.clear();
  text_bytes_ = units_ = 0;
  const auto add_all = [&](Length wanted) {
    for (const SketchTask& task : tasks.first(taken)) {
      if (length_of(texts.text(task.text).size()) == wanted) add(texts, task);
    }
    return static_cast<std::uint32_t>(documents_.size());
  };
  short_end_ = add_all(Length::kShort);
  long_begin_ = add_all(Length::kBlock);
  add_all(Length::kLong);
  return taken;
}

std::size_t PieceBuilder::take(const TextBatch& texts, std::span<const SketchTask> tasks) {
  std::uint64_t bytes = 0;
  std::uint64_t units = 0;
  std::size_t taken = 0;
  const std::size_t most = std::min<std::size_t>(tasks.size(), limits_.documents);
  for (; taken < most && bytes < limits_.enough_text; ++taken) {
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
  order_.push_back(task);
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
