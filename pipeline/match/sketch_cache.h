// A cache of the sketches of documents that are likely to be compared: the newest documents, and
// older ones that were compared lately. A sketch is found without reading the document's row.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/base/team.h"
#include "pipeline/model/types.h"
#include "storage/large_pages.h"
#include "storage/store.h"

namespace neardup {

// A direct-mapped cache: a seq has one place, which it shares with the seqs that differ from it by
// a multiple of the number of places. A sketch that was found since it was put survives the next
// `put` to its place (second chance). Memory is allocated by blocks, as places are used.
class SketchCache {
 public:
  // Sketches of `words` words of 8 bytes, in about `bytes`, at least 64 KiB.
  SketchCache(std::size_t words, std::uint64_t bytes)
      : words_(words),
        block_bits_(
            static_cast<unsigned>(std::bit_width(block_bytes(bytes) / (8 * words) | 1) - 1)),
        blocks_(std::max<std::uint64_t>(1, bytes / (block_places() * (words + 1) * 8))) {}

  std::size_t words() const { return words_; }
  std::size_t places() const { return blocks_.size() * block_places(); }

  void put(Seq seq, const std::uint64_t* sketch) {
    std::unique_ptr<Block>& block = block_of(seq);
    if (!block) block = std::make_unique<Block>(block_places(), words_);
    std::uint64_t& tag = block->tags[place(seq)];
    if ((tag & kFound) != 0) {
      tag &= ~kFound;
      return;
    }
    tag = seq << 1;
    std::copy(sketch, sketch + words_, block->sketches.data() + place(seq) * words_);
  }

  // The same for documents whose seqs ascend and that have a sketch. Each block is filled by one
  // thread.
  void put_all(std::span<const DocumentPut> documents, Team& team) {
    if (documents.empty()) return;
    const auto block_number = [this](const DocumentPut& put) { return put.row.seq >> block_bits_; };
    const std::size_t first = block_number(documents.front());
    const auto put_block = [&](std::size_t piece) {
      for (const DocumentPut& put :
           std::ranges::equal_range(documents, first + piece, {}, block_number)) {
        if (!put.row.sketch.empty()) this->put(put.row.seq, put.row.sketch.data());
      }
    };
    const std::size_t pieces = block_number(documents.back()) - first + 1;
    if (pieces <= blocks_.size()) return team.share_out(pieces, put_block);
    for (std::size_t piece = 0; piece < pieces; ++piece) put_block(piece);
  }

  // Null: not in the cache. Valid until the next `put`. Several threads may find at once.
  const std::uint64_t* find(Seq seq) {
    Block* block = block_of(seq).get();
    if (block == nullptr) return nullptr;
    const std::atomic_ref tag(block->tags[place(seq)]);
    const std::uint64_t value = tag.load(std::memory_order_relaxed);
    if (value >> 1 != seq) return nullptr;
    if ((value & kFound) == 0) tag.store(value | kFound, std::memory_order_relaxed);
    return block->sketches.data() + place(seq) * words_;
  }

  // The address that `find` reads first; null: none.
  const void* address(Seq seq) {
    Block* block = block_of(seq).get();
    return block == nullptr ? nullptr : &block->tags[place(seq)];
  }

 private:
  static constexpr std::uint64_t kLeastBytes = std::uint64_t{64} << 10;
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{2} << 20;  // a large page
  static constexpr std::uint64_t kFound = 1;
  using Words = std::vector<std::uint64_t, OnLargePages<std::uint64_t>>;
  struct Block {
    Block(std::size_t places, std::size_t words) : tags(places), sketches(places * words) {}
    std::vector<std::uint64_t> tags;  // seq · 2, + kFound; 0: none
    Words sketches;
  };

  static std::uint64_t block_bytes(std::uint64_t bytes) {
    return std::clamp(bytes, kLeastBytes, kBlockBytes);
  }
  std::size_t block_places() const { return std::size_t{1} << block_bits_; }
  std::size_t place(Seq seq) const { return seq & (block_places() - 1); }
  // Block numbers fit into 32 bits, where division is much cheaper.
  std::unique_ptr<Block>& block_of(Seq seq) {
    return blocks_[static_cast<std::uint32_t>(seq >> block_bits_) %
                   static_cast<std::uint32_t>(blocks_.size())];
  }

  std::size_t words_;
  unsigned block_bits_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace neardup
