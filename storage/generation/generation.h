// An immutable part of the index for a range of seqs: pages in RocksDB, filters in memory.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "storage/generation/filter.h"
#include "storage/generation/format.h"
#include "storage/rocksdb/state.h"

namespace neardup {

struct Generation {
  // While a merge replaces its sources column by column, each column is searched either in the
  // sources or in the result.
  struct Column {
    std::optional<Filter> filter;  // none: every look-up reads a page
    bool searched = true;
  };

  explicit Generation(Manifest of) : manifest(std::move(of)), columns(manifest.columns.size()) {}

  Manifest manifest;
  std::vector<Column> columns;

  // False: no posting of this generation is at the probe.
  bool may_contain(const Probe& probe) const {
    if (probe.column >= columns.size() || !columns[probe.column].searched) return false;
    const auto& filter = columns[probe.column].filter;
    return !filter || filter->may_contain(probe.hash);
  }
  // False: this generation has at most one posting at the probe. Requires: may_contain(probe).
  bool may_repeat(const Probe& probe) const {
    const auto& filter = columns[probe.column].filter;
    return !filter || filter->may_repeat(probe.hash);
  }
  // The filter line that may_contain reads; null: none.
  const void* address(const Probe& probe) const {
    if (probe.column >= columns.size() || !columns[probe.column].filter) return nullptr;
    return columns[probe.column].filter->address(probe.hash);
  }
  std::uint64_t filter_bytes() const;
  std::uint64_t postings() const;
};

// The manifests of all generations in the state, in the order of their numbers.
std::vector<Manifest> read_manifests(const RocksdbState& state);

// Whether `which` was merged into `by`.
bool replaces(const Manifest& by, const Manifest& which);

// Reads the stored filters of `count` columns from `column` on.
std::vector<Filter> read_filters(const RocksdbState& state, const Manifest& manifest,
                                 std::size_t column, std::size_t count);

// Removes all files of a generation that is not searched any more.
void remove_generation(const RocksdbState& state, std::uint32_t number);

// Calls visit(place, seq) for the postings with seqs > after at probes[place], for each place of
// `places`: ascending by seq for one place until it returns false, the places in any order. Sorts
// `places`.
void find_in_pages(const RocksdbState& state, const Manifest& manifest,
                   std::span<const Probe> probes, std::vector<std::uint32_t>& places, Seq after,
                   const std::function<bool(std::uint32_t place, Seq)>& visit);

}  // namespace neardup
