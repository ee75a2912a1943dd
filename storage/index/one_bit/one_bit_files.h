// Writes packed 1-bit sketches to the state and reads them.
#pragma once

#include <functional>
#include <string>

#include "storage/generation/sst_files.h"
#include "storage/index/one_bit/one_bits.h"
#include "storage/index/seq_set.h"

namespace neardup {

// Writes the sketches of seqs in [first, end). `stored(begin, end)` returns OneBits::stored for
// seqs of one run.
void write_one_bits(const std::function<std::string(Seq begin, Seq end)>& stored, Seq first,
                    Seq end, SstFiles& files);

// Reads the latest sketches, as many as the budget of `bits` has room for, and their tags: those
// of seqs below `flushed_to`, without deleted documents.
void read_one_bits(const RocksdbState& state, Seq flushed_to, const SeqSet& deleted, OneBits& bits);

// Removes files of runs that lie below `before` as a whole: the key of a run is that of its first
// seq.
void drop_one_bits(const RocksdbState& state, Seq before);

// Calls visit(block) for the blocks of the stored seqs in [from, to), ascending, until it returns
// false. False: it did. Documents in `deleted` have no tag; tags are those of the snapshot (null:
// the latest).
bool visit_stored(const RocksdbState& state, const rocksdb::Snapshot* snapshot, Seq from, Seq to,
                  const SeqSet& deleted, const std::function<bool(const SketchBlock&)>& visit);

}  // namespace neardup
