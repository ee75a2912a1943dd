// Body of the kernels: included by portable.cc, avx2.cc and avx512.cc, each
// compiled with its own instruction flags.
#pragma once

#include "gpu/cpu/kernels/bands_impl.h"
#include "gpu/cpu/kernels/compare_impl.h"
#include "gpu/cpu/kernels/elements_impl.h"
#include "gpu/cpu/kernels/fast_similarity_impl.h"
#include "gpu/cpu/kernels/minhash_impl.h"
#include "gpu/cpu/kernels/pack_impl.h"
#include "gpu/cpu/kernels/scan_impl.h"
#include "gpu/cpu/kernels/slices_impl.h"
#include "gpu/cpu/kernels/units_impl.h"
#include "gpu/cpu/kernels/words_impl.h"

namespace neardup {
namespace {

constexpr Kernels kLevelKernels = {
    word_values,
    char_values,
    elements,
    fast_similarity,
    two_universal,
    four_universal,
    multiply_shift,
    permutation,
    pack,
    one_bit,
    band_keys,
    equal_fields,
    hamming_hardware,
    hamming_word_parallel,
    hamming_divide_and_conquer,
    hamming_naive,
    near_rows,
    kSliceRows,
    slice_rows,
    near_slice,
};

}  // namespace
}  // namespace neardup
