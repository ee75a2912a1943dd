// The kernels of the CUDA backend as a backend that runs on the host, one thread after the other,
// in pieces of any size.
#pragma once

#include <cstring>
#include <numeric>
#include <vector>

#include "gpu/backend.h"
#include "gpu/cuda/kernels/kernels.h"
#include "gpu/cuda/kernels/serial_launcher.h"
#include "gpu/cuda/parameters.h"
#include "gpu/cuda/piece_builder.h"

namespace neardup::cuda {

class SerialBackend : public Backend {
 public:
  SerialBackend(const SketchPlan& plan, const PieceLimits& limits)
      : plan_(plan),
        keys_(make_sketch_keys(plan)),
        how_(parameters_of(plan, keys_)),
        builder_(plan.shingle.unit, limits) {}

  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
              SketchRows& rows) override {
    while (!tasks.empty()) {
      tasks = tasks.subspan(builder_.build(texts, tasks));
      sketch_piece(texts, rows);
      ++pieces_;
    }
  }
  std::string description() const override { return "serial"; }
  std::size_t pieces() const { return pieces_; }

 private:
  void sketch_piece(const TextBatch& texts, SketchRows& rows) {
    const auto documents = builder_.documents();
    const std::size_t n = documents.size();
    // Not back to back as on the device but each in memory of just its size, for sanitizers.
    std::string text(builder_.text_bytes() + kPiecePadding, '\0');
    std::uint64_t units = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string_view from = texts.text(builder_.order()[i].text);
      std::memcpy(text.data() + documents[i].text, from.data(), from.size());
      units += most_units(plan_.shingle.unit, from.size());
    }
    const SketchShape shape = plan_.shape();
    constexpr std::uint64_t kStale = 0xdeadbeefdeadbeef;  // nothing may rely on zeros
    std::vector<u64> values(units, kStale);
    std::vector<u64> elements(units, kStale);
    std::vector<u32> of_documents(n, 0xdeadbeef);
    std::vector<u32> of_segments(builder_.segments().size(), 0xdeadbeef);
    Piece piece = builder_.counts();
    std::vector<u64> long_winners((n - piece.long_begin) * shape.slots, ~u64{0});
    std::vector<u64> sketches(n * shape.sketch_words(), kStale);
    std::vector<u64> one_bit(n * shape.one_bit_words(), kStale);
    std::vector<u64> buckets(n * shape.bands, kStale);
    std::vector<u32> distinct(n);
    std::vector<u32> bitmaps(how_.permutation ? kBitmaps * bitmap_words(how_.universe) : 0);
    piece.text = text.data();
    piece.documents = documents.data();
    piece.segments = builder_.segments().data();
    piece.values = values.data();
    piece.elements = elements.data();
    piece.units = of_documents.data();
    piece.segment_units = of_segments.data();
    piece.long_winners = long_winners.data();
    piece.sketches = sketches.data();
    piece.one_bit = one_bit.data();
    piece.buckets = buckets.data();
    piece.distinct_shingles = distinct.data();
    piece.bitmaps = bitmaps.data();
    SerialLauncher launcher;
    cuda::sketch_piece(launcher, how_, piece);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t place = builder_.order()[i].text;
      put(sketches, i, rows.sketches, place, shape.sketch_words());
      put(one_bit, i, rows.one_bits, place, shape.one_bit_words());
      put(buckets, i, rows.band_keys, place, shape.bands);
      if (how_.permutation) rows.distinct_shingles[place] = distinct[i];
    }
  }

  static void put(const std::vector<u64>& from, std::size_t i, std::vector<u64>& rows,
                  std::size_t place, std::size_t words) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(i * words), words,
                rows.begin() + static_cast<std::ptrdiff_t>(place * words));
  }

  SketchPlan plan_;
  SketchKeys keys_;
  Parameters how_;
  PieceBuilder builder_;
  std::size_t pieces_ = 0;
};

}  // namespace neardup::cuda
