// A segment: the keywords of the documents of a range of seqs, as postings that never change
// (docs/formats/similar.md). It follows from the rows of the documents, so it is rebuilt where it
// is missing or damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "pipeline/model/keyword_postings.h"
#include "pipeline/model/types.h"
#include "storage/similar/segment_format.h"

namespace neardup {

// Bytes in memory or of a mapped file, with what keeps them alive.
struct SegmentBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

inline constexpr std::uint32_t kMostSegmentDocuments = 1 << 20;  // unless options say otherwise

class Segment {
 public:
  // Of whole, undamaged bytes of this format and kind, in which nothing leads out of them; null
  // otherwise.
  static std::shared_ptr<const Segment> parse(SegmentBytes bytes, const SegmentKind& kind);
  // The same for a file, which is mapped. Null also when it cannot be read.
  static std::shared_ptr<const Segment> open(const std::string& path, const SegmentKind& kind);

  // The kind of a file, by its header alone; nothing: it is not of this format.
  static std::optional<SegmentKind> kind_of(const std::string& path);

  // The documents lie in [first, end).
  Seq first() const { return first_; }
  Seq end() const { return end_; }
  std::uint32_t documents() const { return postings_.documents; }
  const KeywordPostings& postings() const { return postings_; }
  // The seq of the document at a place. Places are in the order of the seqs.
  Seq seq(std::uint32_t place) const {
    // A block has at most as many documents as seqs, so the place is not in an earlier one.
    std::uint32_t block = place / kBlockSeqs;
    while (block_ends_[block] <= place) ++block;
    return first_block_ + std::uint64_t{block} * kBlockSeqs + low_bits_[place];
  }
  // Fetches what `seq` reads.
  void prefetch_seq(std::uint32_t place) const { __builtin_prefetch(low_bits_ + place); }
  std::uint64_t bytes() const { return bytes_.bytes.size(); }

  static constexpr std::uint32_t kBlockSeqs = 1 << 16;

 private:
  SegmentBytes bytes_;
  Seq first_ = 0;
  Seq end_ = 0;
  Seq first_block_ = 0;                        // the first seq of the first block
  const std::uint32_t* block_ends_ = nullptr;  // one past the last place of each block
  const std::uint16_t* low_bits_ = nullptr;    // of the seq at each place
  KeywordPostings postings_;
};

}  // namespace neardup
