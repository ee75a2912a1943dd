#include "gpu/cuda/search/resident_rows.h"

#include <algorithm>

namespace neardup::cuda {
namespace {

// Rows in front that have ended keep their memory until they are so large a part of it.
constexpr u32 kPartOfEnded = 4;

}  // namespace

// Brings the rows in line with blocks, in the order of their seqs.
class ResidentRows::Follower {
 public:
  Follower(ResidentRows& rows, StagedRows& staged, const Stream& stream)
      : rows_(rows), staged_(staged), stream_(stream) {}

  // False: no more blocks are needed.
  bool take(const SketchBlock& block) {
    if (block.count == 0) return true;
    const u32 begin = seqs().first_from(block.first);
    const u32 shared = seqs().first_from(block.first + block.count) - begin;
    follows_ = fits(block, begin, shared);
    if (!follows_) return false;
    clear_tags(begin);
    replace(block, shared);
    return append(block, shared);
  }

  // Nothing: the rows cannot become those of the blocks.
  std::optional<Seq> finish() {
    if (!follows_) return std::nullopt;
    clear_tags(seqs().count());
    return end_;
  }

 private:
  const RowSeqs& seqs() const { return rows_.buffer_.seqs(); }

  // Whether the block's first `shared` rows are those from `begin` on, and the others come behind
  // all rows.
  bool fits(const SketchBlock& block, u32 begin, u32 shared) const {
    if (row_ == 0 && begin > rows_.buffer_.capacity() / kPartOfEnded) return false;
    if (shared < block.count && begin + shared < seqs().count()) return false;
    return shared == 0 || (seqs().seq(begin) == block.first &&
                           seqs().seq(begin + shared - 1) == block.first + shared - 1);
  }

  // The rows before `row` that are in no block.
  void clear_tags(u32 row) {
    rows_.buffer_.clear_tags(row_, row - row_, stream_);
    std::fill(rows_.tags_.begin() + row_, rows_.tags_.begin() + row, NamespaceTag{0});
    row_ = row;
  }

  void replace(const SketchBlock& block, u32 shared) {
    const auto tags = rows_.tags_.begin() + row_;
    row_ += shared;
    if (std::equal(block.tags, block.tags + shared, tags)) return;
    const u32 begin = row_ - shared;
    u32 first = 0;
    while (first < shared && tags[first] == block.tags[first]) ++first;
    u32 end = shared;
    while (end > first && tags[end - 1] == block.tags[end - 1]) --end;
    while (first < end) {
      const u32 taken = staged_.take(block, first, end - first);
      staged_.copy_to(rows_.buffer_, begin + first, stream_);
      staged_.finish();
      first += taken;
    }
    std::copy_n(block.tags, shared, tags);
  }

  bool append(const SketchBlock& block, u32 from) {
    while (from < block.count && rows_.buffer_.room() > 0) {
      const u32 taken = staged_.take(block, from, rows_.buffer_.room());
      staged_.append_to(rows_.buffer_, stream_);
      staged_.finish();
      rows_.tags_.insert(rows_.tags_.end(), block.tags + from, block.tags + from + taken);
      from += taken;
      row_ += taken;
    }
    end_ = block.first + from;
    return from == block.count;
  }

  ResidentRows& rows_;
  StagedRows& staged_;
  const Stream& stream_;
  u32 row_ = 0;  // all rows before it are done
  Seq end_ = 0;
  bool follows_ = true;
};

Seq ResidentRows::follow(const VisitBlocks& blocks, StagedRows& staged, const Stream& stream) {
  auto end = try_follow(blocks, staged, stream);
  if (!end) {
    buffer_.clear();
    tags_.clear();
    end = try_follow(blocks, staged, stream);  // any blocks can be appended
  }
  copied_.record(stream);
  copied_.wait();
  return *end;
}

std::optional<Seq> ResidentRows::try_follow(const VisitBlocks& blocks, StagedRows& staged,
                                            const Stream& stream) {
  Follower follower(*this, staged, stream);
  blocks([&](const SketchBlock& block) { return follower.take(block); });
  return follower.finish();
}

}  // namespace neardup::cuda
