// Runs of a JSON string whose escapes are of one letter, as \n or \", many bytes at a time: the
// same bytes from every level.
#pragma once

#include "gpu/options.h"

namespace neardup {

// Bytes that a level may write past the end of its output.
inline constexpr int kLettersOverrun = 64;

struct LettersRun {
  const char* in;  // the backslash of the first escape that is not of one known letter, or the end
  char* out;       // the end of what was written
};

// Copies [in, end) and replaces its escapes. Requires: room for (end − in) + kLettersOverrun bytes
// at `out`.
using LettersKernel = LettersRun (*)(const char* in, const char* end, char* out);

LettersRun unescape_letters_portable(const char* in, const char* end, char* out);
LettersRun unescape_letters_avx512(const char* in, const char* end, char* out);

// The fastest kernel of a level. Throws Failure(kConfig) when this machine lacks the level.
LettersKernel letters_kernel(SimdLevel wanted);

}  // namespace neardup
