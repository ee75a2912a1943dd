// Compiled for AVX-512 with VBMI and VBMI2: only intrinsics and static functions here, so that no
// shared inline function is ever emitted with these instructions.
#include "service/records/unescape_letters.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace neardup {
namespace {

constexpr std::uint64_t kEven = 0x5555555555555555;

// What the letters 0x00–0x3F and 0x40–0x7F stand for behind a backslash; 0: not an escape.
alignas(64) const char kLow[] =
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\0\0\"\0\0\0\0\0\0\0\0\0\0\0\0/\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
alignas(64) const char kHigh[] =
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\\\0\0\0"
    "\0\0\b\0\0\0\f\0\0\0\0\0\0\0\n\0\0\0\r\0\t\0\0\0\0\0\0\0\0\0\0";
static_assert(sizeof kLow == 64 && sizeof kHigh == 64);

// Of backslashes side by side every other one begins an escape, the first of them included. In the
// sum each run that begins at an even place is carried out of its bits, and no other one.
std::uint64_t escape_starts(std::uint64_t backslashes) {
  const std::uint64_t run_starts = backslashes & ~(backslashes << 1);
  const std::uint64_t even_runs = backslashes & ~(backslashes + (run_starts & kEven));
  return (even_runs & kEven) | ((backslashes ^ even_runs) & ~kEven);
}

// The loop over blocks of 64 bytes.
class LettersUnescaper {
 public:
  LettersUnescaper(const char* in, char* out) : run_{in, out} {}

  // Unescapes the next `size` ≤ 64 bytes, where `valid` has as many bits. False: `run` ends at an
  // escape that is not of one known letter.
  bool put(std::uint64_t valid, unsigned size) {
    const __m512i bytes = _mm512_maskz_loadu_epi8(valid, run_.in);
    std::uint64_t backslashes = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
    // Keeps the comparison from waiting for the block before, as a mask that it would be given.
    __asm__("" : "+r"(backslashes));
    const std::uint64_t starts = escape_starts(backslashes & ~carry_);
    const std::uint64_t escaped = (starts << 1 | carry_) & valid;
    const __m512i meanings = _mm512_permutex2var_epi8(
        _mm512_load_si512(kLow), bytes, _mm512_load_si512(kHigh));  // by the low seven bits
    const std::uint64_t unknown =
        escaped & (_mm512_testn_epi8_mask(meanings, meanings) | _mm512_movepi8_mask(bytes));
    const std::uint64_t before_unknown =
        unknown == 0 ? valid : ((unknown & (0 - unknown)) - 1) >> 1;
    const std::uint64_t kept = before_unknown & ~starts;
    // Compressing straight to memory is nine times slower on Zen 4.
    _mm512_storeu_si512(
        run_.out, _mm512_maskz_compress_epi8(kept, _mm512_mask_mov_epi8(bytes, escaped, meanings)));
    run_.out += _mm_popcnt_u64(kept);
    carry_ = starts >> (size - 1);
    // One byte back where the block before ended with the backslash.
    run_.in += unknown == 0 ? std::ptrdiff_t{size} : std::ptrdiff_t(_tzcnt_u64(unknown)) - 1;
    return unknown == 0;
  }

  LettersRun run() const { return run_; }
  LettersRun end() const { return {run_.in - carry_, run_.out}; }

 private:
  LettersRun run_;
  std::uint64_t carry_ = 0;  // 1: the byte before `run_.in` begins an escape
};

}  // namespace

LettersRun unescape_letters_avx512(const char* in, const char* end, char* out) {
  LettersUnescaper unescaper(in, out);
  for (auto blocks = (end - in) / 64; blocks > 0; --blocks) {
    if (!unescaper.put(~std::uint64_t{0}, 64)) return unescaper.run();
  }
  const auto rest = static_cast<unsigned>((end - in) % 64);
  if (rest != 0 && !unescaper.put((std::uint64_t{1} << rest) - 1, rest)) return unescaper.run();
  return unescaper.end();
}

}  // namespace neardup

#endif
