// Writes the sorted postings of one column as pages, long lists and a filter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/generation/filter.h"
#include "storage/generation/format.h"
#include "storage/generation/sst_files.h"

namespace neardup {

class ColumnWriter {
 public:
  // `filter` is filled; it must outlive the writer.
  ColumnWriter(SstFiles& files, const Manifest& generation, std::size_t column, Filter& filter);

  // Requires: ascending by hash, then offset.
  void add(Hash40 hash, std::uint32_t offset);

  // Writes the last page and the filter.
  ColumnSize finish();

 private:
  struct List {
    Hash40 hash;
    std::vector<std::uint32_t> offsets;
  };

  void end_hash();
  void end_page();
  void write_lists(const std::string& page_key);
  void write_filter();

  SstFiles& files_;
  std::uint32_t generation_;
  std::size_t column_;
  unsigned prefix_bits_;
  Filter& filter_;
  ColumnSize size_;
  std::uint32_t prefix_ = 0;
  Hash40 hash_ = 0;
  std::vector<std::uint32_t> of_hash_;  // offsets of hash_, not yet on the page
  std::vector<std::uint32_t> rest_;     // of the current page
  std::vector<std::uint32_t> offset_;
  std::vector<List> lists_;  // of the current page
  std::string value_;
};

}  // namespace neardup
