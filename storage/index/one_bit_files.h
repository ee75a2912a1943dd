// Writes packed 1-bit sketches to the state and reads them.
#pragma once

#include <functional>
#include <string>

#include "storage/generation/sst_files.h"
#include "storage/index/one_bits.h"

namespace neardup {

// Writes the sketches of seqs in [first, end). `stored(begin, end)` returns OneBits::stored for
// seqs of one run.
void write_one_bits(const std::function<std::string(Seq begin, Seq end)>& stored, Seq first,
                    Seq end, SstFiles& files);

// Reads the latest sketches, as many as the budget of `bits` has room for.
void read_one_bits(const RocksdbState& state, OneBits& bits);

}  // namespace neardup
