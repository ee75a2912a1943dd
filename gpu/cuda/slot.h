// A stream with pinned and device memory for one piece, allocated at construction. While one slot
// computes, another copies.
#pragma once

#include <cstdint>

#include "gpu/backend.h"
#include "gpu/cuda/kernels/device_keys.h"
#include "gpu/cuda/piece_builder.h"
#include "gpu/cuda/resources.h"

namespace neardup::cuda {

// Bytes of device memory that a slot takes, without the bitmaps of permutations.
std::uint64_t slot_bytes(const SketchShape& shape, const PieceLimits& limits);

class Slot {
 public:
  Slot(const DeviceKeys& keys, const SketchShape& shape, const PieceLimits& limits);

  // Copies the texts of the piece that `builder` holds into pinned memory, starts the copies and
  // kernels of the piece, and returns. Requires: no piece is in progress. Throws CudaFailure.
  void start(const TextBatch& texts, const PieceBuilder& builder);

  // Waits for the piece and writes its rows. Throws CudaFailure if the device failed.
  void finish(SketchRows& rows);

  // Ignores errors.
  void wait_for_what_is_under_way() { cudaStreamSynchronize(stream_.get()); }

  // Seconds of the last piece, on the device's clock.
  BackendTimes times() const;

 private:
  void fill(const TextBatch& texts, const PieceBuilder& builder);
  Piece piece() const;
  template <class T>
  void copy_in(const PinnedArray<T>& from, const DeviceArray<T>& to, std::size_t size);
  template <class T>
  void copy_out(const DeviceArray<T>& from, const PinnedArray<T>& to, std::size_t size);

  const Parameters* how_;
  SketchShape shape_;
  Stream stream_;
  Event begin_;
  Event copied_in_;
  Event computed_;
  Event end_;

  PinnedArray<char> text_;
  PinnedArray<Document> documents_;
  PinnedArray<Segment> segments_;
  PinnedArray<u64> sketches_;
  PinnedArray<u64> one_bit_;
  PinnedArray<u64> buckets_;
  PinnedArray<u32> distinct_;

  DeviceArray<char> device_text_;
  DeviceArray<Document> device_documents_;
  DeviceArray<Segment> device_segments_;
  DeviceArray<u64> values_;
  DeviceArray<u64> elements_;
  DeviceArray<u32> units_;
  DeviceArray<u32> segment_units_;
  DeviceArray<u64> long_winners_;
  DeviceArray<u32> bitmaps_;
  DeviceArray<u64> device_sketches_;
  DeviceArray<u64> device_one_bit_;
  DeviceArray<u64> device_buckets_;
  DeviceArray<u32> device_distinct_;

  Piece counts_{};
  std::vector<std::uint32_t> texts_;  // of each document, the place of its row
};

}  // namespace neardup::cuda
