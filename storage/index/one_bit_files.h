// Packed 1-bit sketches to and from the state.
#pragma once

#include <functional>
#include <string>

#include "storage/generation/sst_files.h"
#include "storage/index/one_bits.h"

namespace neardup {

// Writes those of [first, end). `stored(begin, end)` is OneBits::stored of seqs of one run.
void write_one_bits(const std::function<std::string(Seq begin, Seq end)>& stored, Seq first,
                    Seq end, SstFiles& files);

// Reads the latest ones, as many as there is room for.
void read_one_bits(const RocksdbState& state, OneBits& bits);

}  // namespace neardup
