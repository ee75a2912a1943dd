// Sketches of documents that may soon be compared: the newest, and older ones that were. What
// decides between candidates lies in one place each, and need not be looked for in rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/core/types.h"
#include "storage/large_pages.h"

namespace neardup {

// Each seq has one place, which it shares with those that differ by a multiple of the number of
// places. One that was found since another wanted its place stays once more. Memory is taken as
// places are used.
class SketchCache {
 public:
  static constexpr std::size_t kBlock = 8192;  // places that are taken together

  // Sketches of `words` words of 8 bytes, in about `bytes` at most.
  SketchCache(std::size_t words, std::uint64_t bytes)
      : words_(words), blocks_(std::max<std::uint64_t>(1, bytes / (kBlock * (words + 1) * 8))) {}

  void put(Seq seq, const std::uint64_t* sketch) {
    std::unique_ptr<Block>& block = block_of(seq);
    if (!block) block = std::make_unique<Block>(words_);
    std::uint64_t& tag = block->tags[seq % kBlock];
    if ((tag & kFound) != 0) {
      tag &= ~kFound;
      return;
    }
    tag = seq << 1;
    std::copy(sketch, sketch + words_, block->sketches.data() + seq % kBlock * words_);
  }

  // Null where it is not at hand. Valid until the next `put`.
  const std::uint64_t* find(Seq seq) {
    Block* block = block_of(seq).get();
    if (block == nullptr || block->tags[seq % kBlock] >> 1 != seq) return nullptr;
    block->tags[seq % kBlock] |= kFound;
    return block->sketches.data() + seq % kBlock * words_;
  }

  // What `find` reads first; null: nothing.
  const void* address(Seq seq) {
    Block* block = block_of(seq).get();
    return block == nullptr ? nullptr : &block->tags[seq % kBlock];
  }

 private:
  static constexpr std::uint64_t kFound = 1;
  struct Block {
    explicit Block(std::size_t words) : sketches(kBlock * words) {}
    std::array<std::uint64_t, kBlock> tags{};  // seq · 2, + kFound; 0: none
    std::vector<std::uint64_t, OnLargePages<std::uint64_t>> sketches;
  };

  std::unique_ptr<Block>& block_of(Seq seq) {
    return blocks_[static_cast<std::uint32_t>(seq / kBlock) %
                   static_cast<std::uint32_t>(blocks_.size())];
  }

  std::size_t words_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace neardup
