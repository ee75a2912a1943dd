#include "gpu/cuda/search/device_rows.h"

#include <utility>

#include "gpu/cuda/search/on_device.h"
#include "gpu/cuda/search/resident_rows.h"
#include "gpu/cuda/search/row_search.h"
#include "gpu/cuda/search/search_memory.h"

namespace neardup::cuda {
namespace {

struct PieceBuffer {
  PieceBuffer(u32 capacity, u32 words_each)
      : staged(capacity, words_each), rows(capacity, words_each) {}
  StagedRows staged;
  RowBuffer rows;
};

RowSearchLimits search_limits(const DeviceRowLimits& limits) {
  return {limits.queries, limits.hits};
}

// Rows that fit into memory in addition to two pieces and the queries.
u32 fitting_rows(u32 words_each, const DeviceRowLimits& limits) {
  const u64 needed = RowSearch::bytes(words_each, search_limits(limits)) +
                     u64{2} * limits.piece_rows * row_bytes(words_each);
  return static_cast<u32>(
      std::min<u64>(left_of_memory(limits.memory, needed) / row_bytes(words_each), kNoRow));
}

class StreamedRows : public DeviceRows {
 public:
  // The device must be the chosen one.
  StreamedRows(int device, u32 words_each, const DeviceRowLimits& limits)
      : device_(device),
        queries_(limits.queries),
        resident_(fitting_rows(words_each, limits), words_each),
        pieces_{{limits.piece_rows, words_each}, {limits.piece_rows, words_each}},
        search_(words_each, search_limits(limits)) {}

  Seq follow(const VisitBlocks& blocks) override {
    return on_device(device_, [&] {
      drop_pieces();
      return resident_.follow(blocks, filled_->staged, copying_);
    });
  }

  std::uint64_t resident() const override { return resident_.buffer().seqs().count(); }

  void search(const VisitBlocks& others, std::span<RowQuery> queries) override {
    on_device(device_, [&] {
      while (!queries.empty()) {
        const auto batch = queries.first(std::min<std::size_t>(queries.size(), queries_));
        search_.begin(batch);
        search_.add(resident_.buffer());
        search_others(others);
        queries = queries.subspan(batch.size());
      }
    });
  }

 private:
  void search_others(const VisitBlocks& others) {
    drop_pieces();
    others([&](const SketchBlock& block) {
      for (u32 row = 0; row < block.count;) {
        row += filled_->staged.take(block, row, kNoRow);
        if (row < block.count) pass_on();
      }
      return true;
    });
    pass_on();
    search_copied();
  }

  // What a search has left that ended by an exception of `others`.
  void drop_pieces() {
    for (PieceBuffer& piece : pieces_) {
      piece.staged.finish();
      piece.rows.clear();
    }
  }

  // Copies the piece that was filled, and searches the one before meanwhile.
  void pass_on() {
    filled_->staged.append_to(filled_->rows, copying_);
    search_copied();
    std::swap(filled_, copied_);
  }

  void search_copied() {
    copied_->staged.finish();
    search_.add(copied_->rows);
    copied_->rows.clear();
  }

  int device_;
  u32 queries_;  // of a batch
  ResidentRows resident_;
  PieceBuffer pieces_[2];
  PieceBuffer* filled_ = &pieces_[0];
  PieceBuffer* copied_ = &pieces_[1];
  Stream copying_;
  RowSearch search_;
};

}  // namespace

std::unique_ptr<DeviceRows> make_device_rows(std::uint32_t device, std::uint32_t words_each,
                                             const DeviceRowLimits& limits) {
  return on_device(static_cast<int>(device), [&] {
    return std::unique_ptr<DeviceRows>(
        std::make_unique<StreamedRows>(static_cast<int>(device), words_each, limits));
  });
}

}  // namespace neardup::cuda
