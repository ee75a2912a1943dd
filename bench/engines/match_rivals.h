// What GENIE's paper (Zhou et al. 2018) compares c-PQ with, on the CPU and one thread. All but the
// LSH give the objects with the highest match-counts, in the order of MatchedObject.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/engines/signatures.h"
#include "gpu/search/dense_match.h"

namespace neardup::bench {

using Answer = std::vector<MatchedObject>;

// The items of a query, function by function.
template <class Value>
std::vector<KeywordRange> items_of(const Signatures<Value>& signatures, const Value* row);

// Lists of 32-bit ids over all objects, with a count of 32 bits for each object.
class CountTable {
 public:
  // Of the keywords below `keywords`.
  CountTable(const DensePostings& postings, std::uint32_t keywords);

  // CPU-Idx: counts, then partial sorting.
  Answer by_partial_sort(const std::vector<KeywordRange>& query, std::uint32_t most);
  // GEN-SPQ: counts, then bucket k-selection: the buckets have equal widths between the least and
  // the highest count, and the one with the k-th object is cut again.
  Answer by_buckets(const std::vector<KeywordRange>& query, std::uint32_t most);

 private:
  template <class T>
  using Large = std::vector<T, OnLargePages<T>>;

  void count(const std::vector<KeywordRange>& query);
  // Of `ids`, moves the objects into `best` that are in buckets before the last one that is needed,
  // and returns those of that bucket, in the same order.
  std::span<std::uint32_t> cut_buckets(std::span<std::uint32_t> ids, std::uint32_t most,
                                       Answer& best) const;

  Large<std::size_t> starts_;  // by keyword
  Large<std::uint32_t> ids_;
  Large<std::uint32_t> counts_;  // by object
  Large<std::uint32_t> order_;
};

// What GPU-SPQ does: compares the signatures of all objects with a query's, and keeps the best.
// Several queries pass by a tile of rows while it is in the cache.
template <class Value>
std::vector<Answer> scan_signatures(const Signatures<Value>& signatures, std::uint32_t first,
                                    std::uint32_t count, std::uint32_t most);

// Tables of buckets by bands of values; the objects in the buckets of a query are compared with it.
template <class Value>
class LshTables {
 public:
  // As many bands as there are functions for.
  LshTables(const Signatures<Value>& signatures, std::uint32_t rows);

  Answer answer(std::uint32_t query, std::uint32_t most) const;
  std::uint32_t bands() const { return bands_; }
  std::size_t bytes() const;

 private:
  std::uint32_t bucket(const Value* row, std::uint32_t band) const;

  const Signatures<Value>* signatures_;
  std::uint32_t rows_;
  std::uint32_t bands_;
  std::uint32_t bucket_bits_;
  // For each band a start for each bucket and an end, and the ids.
  std::vector<std::vector<std::uint32_t>> starts_;
  std::vector<std::vector<std::uint32_t>> ids_;
};

extern template class LshTables<std::uint8_t>;
extern template class LshTables<std::uint16_t>;

}  // namespace neardup::bench
