// Reads the postings of one column of a generation in ascending order.
#pragma once

#include <rocksdb/db.h>

#include <memory>
#include <string>
#include <vector>

#include "storage/generation/format.h"
#include "storage/rocksdb/state.h"

namespace neardup {

class PageStream {
 public:
  // Offsets are relative to `first`, which is at or before the first seq of the generation.
  PageStream(const RocksdbState& state, const Manifest& manifest, std::size_t column, Seq first);

  // Appends the postings with hash < end that were not read yet, ascending: the low 32 bits of the
  // hash in the upper half, the offset in the lower. Requires: no page has hashes on both sides of
  // `end`.
  void read_until(Hash40 end, std::vector<std::uint64_t>& postings);

  // To be called when all is read. Throws unless there were as many postings as the manifest says.
  void check_end() const;

 private:
  void read_page(const Page& page, std::uint32_t prefix, std::vector<std::uint64_t>& postings);
  void read_list(const Offsets& list, Hash40 hash, std::vector<std::uint64_t>& postings);

  const RocksdbState& state_;
  unsigned prefix_bits_;
  std::uint64_t shift_;  // added to offsets
  std::uint64_t left_;   // postings not yet read
  std::string end_key_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

}  // namespace neardup
