#include "gpu/cuda/search/device_rows.h"

#include <fmt/core.h>

#include <utility>

#include "gpu/cuda/search/row_search.h"
#include "pipeline/core/failure.h"

namespace neardup::cuda {
namespace {

// Rows of blocks, in pieces.
class BlockReader {
 public:
  explicit BlockReader(std::span<const SketchBlock> blocks) : blocks_(blocks) {}

  // As many rows as there is room for.
  void fill(StagedRows& staged) {
    while (!blocks_.empty()) {
      row_ += staged.take(blocks_.front(), row_, kNoRow);
      if (row_ < blocks_.front().count) return;
      blocks_ = blocks_.subspan(1);
      row_ = 0;
    }
  }

 private:
  std::span<const SketchBlock> blocks_;
  u32 row_ = 0;  // the next one of the first block
};

struct PieceBuffer {
  PieceBuffer(u32 capacity, u32 words_each)
      : staged(capacity, words_each), rows(capacity, words_each) {}
  StagedRows staged;
  RowBuffer rows;
};

RowSearchLimits search_limits(const DeviceRowLimits& limits) {
  return {limits.queries, limits.hits};
}

// Rows for which memory is left beside two pieces and the queries.
u32 fitting_rows(u32 words_each, const DeviceRowLimits& limits) {
  const u64 needed = RowSearch::bytes(words_each, search_limits(limits)) +
                     u64{2} * limits.piece_rows * row_bytes(words_each);
  if (limits.memory < needed) {
    throw Failure(Exit::kConfig,
                  fmt::format("gpu.memory: {} MiB are too little, the minimum is {} MiB",
                              limits.memory >> 20, (needed >> 20) + 1));
  }
  return static_cast<u32>(std::min<u64>((limits.memory - needed) / row_bytes(words_each), kNoRow));
}

// Runs f() while the device is the chosen one. Its failures become DeviceFailures.
template <class F>
auto on_device(int device, F f) {
  try {
    check(cudaSetDevice(device), "choosing the device");
    return f();
  } catch (const CudaFailure& failure) {
    throw DeviceFailure(failure.what());
  }
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

  std::uint32_t hold(const SketchBlock& block) override {
    return on_device(device_, [&] {
      StagedRows& staged = pieces_[0].staged;
      u32 held = 0;
      while (held < block.count && resident_.room() > 0) {
        held += staged.take(block, held, resident_.room());
        staged.append_to(resident_, copying_);
        staged.finish();
      }
      return held;
    });
  }

  std::uint64_t resident() const override { return resident_.seqs().count(); }

  void search(std::span<const SketchBlock> others, std::span<RowQuery> queries) override {
    on_device(device_, [&] {
      while (!queries.empty()) {
        const auto batch = queries.first(std::min<std::size_t>(queries.size(), queries_));
        search_.begin(batch);
        search_.add(resident_);
        search_others(others);
        queries = queries.subspan(batch.size());
      }
    });
  }

 private:
  void search_others(std::span<const SketchBlock> others) {
    BlockReader reader(others);
    PieceBuffer* now = &pieces_[0];
    PieceBuffer* next = &pieces_[1];
    start_copying(reader, *now);
    while (now->rows.seqs().count() > 0) {
      start_copying(reader, *next);
      now->staged.finish();
      search_.add(now->rows);
      std::swap(now, next);
    }
  }

  void start_copying(BlockReader& reader, PieceBuffer& piece) {
    reader.fill(piece.staged);
    piece.staged.replace(piece.rows, copying_);
  }

  int device_;
  u32 queries_;  // of a batch
  RowBuffer resident_;
  PieceBuffer pieces_[2];
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
