// Runs of ASCII, 64 bytes at a time: the same bytes from every level. In ASCII the word characters
// are [A-Za-z0-9_]; a separator is written, as 0x20, only directly behind one.
#pragma once

#include <cstdint>

#include "gpu/options.h"

namespace neardup {

// Bytes that a level may write past the end of its output.
inline constexpr int kAsciiOverrun = 64;

struct AsciiRun {
  const char* in;            // the first byte that was not read: non-ASCII or the end
  char* out;                 // the end of what was written
  std::uint64_t separators;  // written
};

// Reads [in, end) up to its first non-ASCII byte. `in_word`: the byte before `out` belongs to a
// word. Requires: room for (end − in) + kAsciiOverrun bytes at `out`.
using AsciiKernel = AsciiRun (*)(const char* in, const char* end, char* out, bool in_word);

AsciiRun ascii_run_portable(const char* in, const char* end, char* out, bool in_word);
AsciiRun ascii_run_avx2(const char* in, const char* end, char* out, bool in_word);
AsciiRun ascii_run_avx512(const char* in, const char* end, char* out, bool in_word);

// Throws Failure(kConfig) when this machine lacks the level.
AsciiKernel ascii_kernel(SimdLevel wanted);

}  // namespace neardup
