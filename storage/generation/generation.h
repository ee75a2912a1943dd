// An immutable part of the index: a range of seqs, its pages in RocksDB, its filters in memory.
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
  // A column is searched here unless a merge has taken its postings over, or not yet.
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
  // False: this generation has one posting at most at the probe. Requires: may_contain(probe).
  bool may_repeat(const Probe& probe) const {
    const auto& filter = columns[probe.column].filter;
    return !filter || filter->may_repeat(probe.hash);
  }
  // What may_contain reads of a filter; null: nothing.
  const void* address(const Probe& probe) const {
    if (probe.column >= columns.size() || !columns[probe.column].filter) return nullptr;
    return columns[probe.column].filter->address(probe.hash);
  }
  std::uint64_t filter_bytes() const;
  std::uint64_t postings() const;
};

// The manifests of all generations in the state, in the order of their numbers.
std::vector<Manifest> read_manifests(const RocksdbState& state);

// Was `which` made a part of `by`?
bool replaces(const Manifest& by, const Manifest& which);

// Reads the filters of `count` columns from `column` on.
std::vector<Filter> read_filters(const RocksdbState& state, const Manifest& manifest,
                                 std::size_t column, std::size_t count);

// Removes all files of a generation that is not searched any more.
void remove_generation(const RocksdbState& state, std::uint32_t number);

// Calls visit(place, seq) for the postings at probes[place] for each place of `places`, in no order
// of places but ascending by seq in each, seqs > after only, until it returns false. Sorts
// `places`.
void find_in_pages(const RocksdbState& state, const Manifest& manifest,
                   std::span<const Probe> probes, std::vector<std::uint32_t>& places, Seq after,
                   const std::function<bool(std::uint32_t place, Seq)>& visit);

}  // namespace neardup
