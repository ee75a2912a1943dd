// Packed 1-bit sketches to and from the state.
#pragma once

#include <mutex>

#include "storage/index/one_bits.h"
#include "storage/index/sst_files.h"

namespace neardup {

// Writes those of [first, end). Takes `mutex` while it looks at `bits`.
void write_one_bits(const OneBits& bits, std::mutex& mutex, Seq first, Seq end, SstFiles& files);

// Reads the latest ones, as many as there is room for.
void read_one_bits(const RocksdbState& state, OneBits& bits);

}  // namespace neardup
