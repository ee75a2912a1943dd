// Making generations: by flushing the recent part, and by merging neighbours.
#pragma once

#include <vector>

#include "storage/index/generation.h"
#include "storage/index/recent.h"
#include "storage/index/seq_set.h"
#include "storage/index/sst_files.h"

namespace neardup {

// How wide pages are made: 1 to 3 KB on average.
unsigned prefix_bits_for(std::uint64_t ids);

// Writes the pages, filters and manifest of a recent part, without what is gone. Number and epoch
// are those of `like`. The filters stay in the result.
Generation write_flush(const Recent& recent, const Manifest& like, std::uint64_t filter_bits,
                       const SeqSet& gone, SstFiles& files);

// Merges neighbours, a column a step, without what is gone or has a seq below `expired_before`.
class Merge {
 public:
  Merge(const RocksdbState& state, std::vector<Manifest> sources, std::uint32_t number,
        std::uint64_t filter_bits, Seq expired_before, SeqSet gone);

  // False: all is written.
  bool step();

  const std::vector<Manifest>& sources() const { return sources_; }
  const Manifest& result() const { return result_; }
  const SstFiles& files() const { return files_; }
  const SeqSet& gone() const { return gone_; }  // what was dropped

 private:
  void merge_column(std::size_t column);

  const RocksdbState& state_;
  std::vector<Manifest> sources_;
  std::uint64_t filter_bits_;
  Seq expired_before_;
  SeqSet gone_;
  Manifest result_;
  SstFiles files_;
  std::size_t column_ = 0;
  std::vector<std::uint64_t> postings_;  // reused
  std::vector<std::uint64_t> merged_;
};

}  // namespace neardup
