// Body of the kernels: included by kernels_portable.cc, kernels_avx2.cc and kernels_avx512.cc, each
// compiled with its own instruction flags.
#pragma once

#include "gpu/cpu/kernels_compare_impl.h"
#include "gpu/cpu/kernels_elements_impl.h"
#include "gpu/cpu/kernels_fast_similarity_impl.h"
#include "gpu/cpu/kernels_minhash_impl.h"
#include "gpu/cpu/kernels_pack_impl.h"
#include "gpu/cpu/kernels_units_impl.h"

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
    equal_fields,
    hamming_hardware,
    hamming_word_parallel,
    hamming_divide_and_conquer,
    hamming_naive,
};

}  // namespace
}  // namespace neardup
