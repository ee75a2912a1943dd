// Known answers of docs/formats/sketch.md and text.md, computed by an independent Python version
// (tests/vectors), checked against the code as it runs on this machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend.h"

namespace neardup {

// The JSON texts of the four files; their format is in tests/vectors/README.md.
struct VectorFiles {
  std::string_view hash;
  std::string_view sketch;
  std::string_view estimate;
  std::string_view text;
};

// The files as of the build of this program.
VectorFiles built_in_vectors();

struct VectorReport {
  std::uint64_t cases = 0;
  std::uint64_t wrong = 0;
  std::vector<std::string> mismatches;  // a line for each of the first wrong values
  BackendReport backends;               // sum over all backends: whether a device did the work
};

// Checks every case with the CPU code of `level`. Throws Failure(kConfig) when this machine lacks
// it, Failure(kInternal) when a file is not what the format says.
VectorReport verify_vectors(const VectorFiles& files, SimdLevel level);

// Checks the rows that backends make of the texts in the sketch file: stored bits, 1-bit sketch,
// band keys, distinct shingles. `make` is called for each case; its exceptions propagate.
using MakeBackend = std::function<std::unique_ptr<Backend>(const SketchPlan&)>;
VectorReport verify_rows(const VectorFiles& files, const MakeBackend& make);

}  // namespace neardup
