// Raw text → normalised text: NFKC with case folding, restricted to Unicode 15.0, cut into tokens
// that are joined by one space (UAX #15, UTS #18 \w; docs/formats/text.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gpu/options.h"
#include "pipeline/text/fold_marks.h"

namespace neardup {

struct NormalisedText {
  std::size_t bytes = 0;  // written
  std::uint32_t tokens = 0;
  bool too_large = false;  // would pass `limit`: nothing usable was written
};

// Not thread-safe: each thread has its own.
class Normaliser {
 public:
  // `simd` chooses the path for ASCII runs; every level gives the same bytes.
  // Throws Failure(kConfig) when this machine lacks the level.
  explicit Normaliser(SimdLevel simd = SimdLevel::kAuto, TextFold fold = TextFold::kNone);
  ~Normaliser();
  Normaliser(Normaliser&&) noexcept;
  Normaliser& operator=(Normaliser&&) noexcept;

  // Overwrites `out` from byte `begin` on, a buffer for reuse that grows as needed: the normalised
  // text is the first `bytes` bytes there. Requires: `raw` is valid UTF-8, below 2 GiB. `limit`:
  // most bytes of normalised text.
  NormalisedText normalise(std::string_view raw, std::size_t limit, std::string& out,
                           std::size_t begin = 0);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
