#include "gpu/cuda/slot.h"

#include <cstring>

#include "gpu/cuda/kernels/sketch_kernels.h"

namespace neardup::cuda {
namespace {

std::uint64_t row_bytes(const SketchShape& shape) {
  return 8 * (shape.sketch_words() + shape.one_bit_words() + shape.bands) + 4;
}

// Copies a computed row to row `place` of `rows`.
void put_row(const u64* row, std::size_t words, std::vector<std::uint64_t>& rows,
             std::size_t place) {
  std::memcpy(rows.data() + place * words, row, words * sizeof(u64));
}

}  // namespace

std::uint64_t slot_bytes(const SketchShape& shape, const PieceLimits& limits) {
  return limits.text_bytes + kPiecePadding + 16 * limits.units +
         limits.documents * (sizeof(Document) + sizeof(u32) + row_bytes(shape)) +
         limits.segments() * (sizeof(Segment) + sizeof(u32)) +
         std::uint64_t{limits.longs()} * shape.slots * 8;
}

Slot::Slot(const DeviceKeys& keys, const SketchShape& shape, const PieceLimits& limits)
    : how_(&keys.parameters()),
      shape_(shape),
      text_(limits.text_bytes + kPiecePadding),
      documents_(limits.documents),
      segments_(limits.segments()),
      sketches_(std::size_t{limits.documents} * shape.sketch_words()),
      one_bit_(std::size_t{limits.documents} * shape.one_bit_words()),
      buckets_(std::size_t{limits.documents} * shape.bands),
      distinct_(limits.documents),
      device_text_(text_.size()),
      device_documents_(limits.documents),
      device_segments_(limits.segments()),
      values_(limits.units),
      elements_(limits.units),
      units_(limits.documents),
      segment_units_(limits.segments()),
      long_winners_(std::size_t{limits.longs()} * shape.slots),
      bitmaps_(how_->permutation ? kBitmaps * bitmap_words(how_->universe) : 0),
      device_sketches_(sketches_.size()),
      device_one_bit_(one_bit_.size()),
      device_buckets_(buckets_.size()),
      device_distinct_(limits.documents) {
  if (bitmaps_.size() > 0) {
    check(cudaMemsetAsync(bitmaps_.get(), 0, bitmaps_.size() * sizeof(u32), stream_.get()),
          "clearing memory");
  }
}

template <class T>
void Slot::copy_in(const PinnedArray<T>& from, const DeviceArray<T>& to, std::size_t size) {
  if (size == 0) return;
  check(cudaMemcpyAsync(to.get(), from.get(), size * sizeof(T), cudaMemcpyHostToDevice,
                        stream_.get()),
        "copying to the device");
}

template <class T>
void Slot::copy_out(const DeviceArray<T>& from, const PinnedArray<T>& to, std::size_t size) {
  if (size == 0) return;
  check(cudaMemcpyAsync(to.get(), from.get(), size * sizeof(T), cudaMemcpyDeviceToHost,
                        stream_.get()),
        "copying from the device");
}

void Slot::fill(const TextBatch& texts, const PieceBuilder& builder) {
  const auto order = builder.order();
  const auto documents = builder.documents();
  texts_.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view text = texts.text(order[i].text);
    std::memcpy(text_.get() + documents[i].text, text.data(), text.size());
    texts_.push_back(order[i].text);
  }
  std::memset(text_.get() + builder.text_bytes(), 0, kPiecePadding);
  std::memcpy(documents_.get(), documents.data(), documents.size_bytes());
  std::memcpy(segments_.get(), builder.segments().data(), builder.segments().size_bytes());
}

Piece Slot::piece() const {
  Piece piece = counts_;
  piece.text = device_text_.get();
  piece.documents = device_documents_.get();
  piece.segments = device_segments_.get();
  piece.values = values_.get();
  piece.elements = elements_.get();
  piece.units = units_.get();
  piece.segment_units = segment_units_.get();
  piece.long_winners = long_winners_.get();
  piece.sketches = device_sketches_.get();
  piece.one_bit = device_one_bit_.get();
  piece.buckets = device_buckets_.get();
  piece.distinct_shingles = device_distinct_.get();
  piece.bitmaps = bitmaps_.get();
  return piece;
}

void Slot::start(const TextBatch& texts, const PieceBuilder& builder) {
  fill(texts, builder);
  counts_ = builder.counts();
  const std::size_t n = counts_.document_count;
  begin_.record(stream_);
  copy_in(text_, device_text_, builder.text_bytes() + kPiecePadding);
  copy_in(documents_, device_documents_, n);
  copy_in(segments_, device_segments_, counts_.segment_count);
  copied_in_.record(stream_);
  const std::size_t longs = n - counts_.long_begin;
  if (longs > 0) {
    check(cudaMemsetAsync(long_winners_.get(), 0xff, longs * how_->slots * sizeof(u64),
                          stream_.get()),
          "clearing memory");
  }
  start_kernels(stream_.get(), *how_, piece());
  computed_.record(stream_);
  copy_out(device_sketches_, sketches_, n * shape_.sketch_words());
  copy_out(device_one_bit_, one_bit_, n * shape_.one_bit_words());
  copy_out(device_buckets_, buckets_, n * shape_.bands);
  if (how_->permutation) copy_out(device_distinct_, distinct_, n);
  end_.record(stream_);
}

void Slot::finish(SketchRows& rows) {
  end_.wait();
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const std::size_t place = texts_[i];
    put_row(sketches_.get() + i * shape_.sketch_words(), shape_.sketch_words(), rows.sketches,
            place);
    put_row(one_bit_.get() + i * shape_.one_bit_words(), shape_.one_bit_words(), rows.one_bits,
            place);
    put_row(buckets_.get() + i * shape_.bands, shape_.bands, rows.band_keys, place);
    if (how_->permutation) rows.distinct_shingles[place] = distinct_.get()[i];
  }
}

BackendTimes Slot::times() const {
  return {.pieces = 1,
          .copy_in_seconds = copied_in_.seconds_since(begin_),
          .kernel_seconds = computed_.seconds_since(copied_in_),
          .copy_out_seconds = end_.seconds_since(computed_)};
}

}  // namespace neardup::cuda
