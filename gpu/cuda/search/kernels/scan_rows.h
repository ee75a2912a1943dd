// Exact nearest neighbours of 1-bit sketches: every row is compared with every query, by XOR and
// counting bits (Løvstad, after Knudsen). What RowScan (gpu/search/row_scan.h) does on the host.
#pragma once

#include "gpu/cuda/search/kernels/hit_lists.h"
#include "gpu/cuda/search/kernels/packed_rows.h"
#include "pipeline/core/sketch_block.h"

namespace neardup::cuda {

inline constexpr u32 kNoRow = ~u32{0};

// Which rows are found for a query.
struct ScanQuery {
  u32 limit;   // those that differ in fewer bits
  u32 except;  // but not this row; kNoRow: none is left out
  u32 tag;     // and only those of this tag. Requires: > 0
};

// All rows × all queries.
struct RowsAndQueries {
  PackedRows rows;
  const NamespaceTag* tags;  // of each row; 0: there is no document, the row means nothing
  PackedRows queries;        // words_each as the rows
  const ScanQuery* about;    // of each query
  HitLists<NearHit> found;   // a list for each query
};

// Queries that a group holds in its memory at once.
inline constexpr u32 kQueriesAtOnce = 32;
inline constexpr u32 kQueryBytes = 32 << 10;
NEARDUP_HD u32 query_bytes(u32 words) { return words * 8 + sizeof(ScanQuery); }
NEARDUP_HD u32 queries_at_once(u32 words) {
  const u32 fitting = kQueryBytes / query_bytes(words);
  return fitting < 1 ? 1 : fitting < kQueriesAtOnce ? fitting : kQueriesAtOnce;
}

// A row that a thread keeps in registers while the queries pass by.
template <u32 kWords>
class ScannedRow {
 public:
  NEARDUP_HD ScannedRow(const u64* row, u32) {
    for (u32 i = 0; i < kWords; ++i) words_[i] = row[i];
  }
  NEARDUP_HD u32 distance(const u64* query) const { return differing_bits(words_, query, kWords); }

 private:
  u64 words_[kWords];
};

// Of any number of words: read again for each query.
template <>
class ScannedRow<0> {
 public:
  NEARDUP_HD ScannedRow(const u64* row, u32 words) : row_(row), words_(words) {}
  NEARDUP_HD u32 distance(const u64* query) const { return differing_bits(row_, query, words_); }

 private:
  const u64* row_;
  u32 words_;
};

// A row a thread. kWords: of a row, or 0 for any number.
template <u32 kWords>
struct ScanRows {
  static constexpr u32 kThreads = kBlock;
  RowsAndQueries scan;

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u32 most = queries_at_once(scan.rows.words_each);
    for (u32 first = 0; first < scan.queries.count; first += most) {
      const u32 left = scan.queries.count - first;
      pass_by(group, index, first, left < most ? left : most);
    }
  }

 private:
  // The queries [first, first + count).
  template <class Group>
  NEARDUP_HD void pass_by(Group& group, u32 index, u32 first, u32 count) const {
    const u32 words = scan.rows.words_each;
    u64* const queries = reinterpret_cast<u64*>(group.shared());
    ScanQuery* const about = reinterpret_cast<ScanQuery*>(queries + count * words);
    group.each([&](u32 thread) {
      const u64* const from = scan.queries.row(first);
      for (u32 i = thread; i < count * words; i += Group::kThreads) queries[i] = from[i];
      for (u32 i = thread; i < count; i += Group::kThreads) about[i] = scan.about[first + i];
    });
    group.each([&](u32 thread) {
      const u64 row = u64{index} * Group::kThreads + thread;
      if (row >= scan.rows.count || scan.tags[row] == 0) return;
      const u32 number = static_cast<u32>(row);
      const u32 tag = scan.tags[row];
      const ScannedRow<kWords> own(scan.rows.row(row), words);
      for (u32 i = 0; i < count; ++i) {
        const u32 distance = own.distance(queries + i * words);
        if (distance >= about[i].limit || tag != about[i].tag || number == about[i].except)
          continue;
        scan.found.append<Group>(first + i, {distance, number});
      }
    });
  }
};

// Requires: rows of at most 4096 words.
template <class Launcher>
void scan_rows(Launcher& launcher, const RowsAndQueries& scan) {
  const u32 words = scan.rows.words_each;
  const u32 groups = static_cast<u32>((u64{scan.rows.count} + kBlock - 1) / kBlock);
  const u32 most = queries_at_once(words);
  const u32 held = scan.queries.count < most ? scan.queries.count : most;
  const u32 bytes = held * query_bytes(words);
  if (groups == 0 || held == 0) return;
  switch (words) {
    case 2:
      return launcher.launch(ScanRows<2>{scan}, groups, bytes);
    case 4:
      return launcher.launch(ScanRows<4>{scan}, groups, bytes);
    case 8:
      return launcher.launch(ScanRows<8>{scan}, groups, bytes);
    case 16:
      return launcher.launch(ScanRows<16>{scan}, groups, bytes);
    default:
      return launcher.launch(ScanRows<0>{scan}, groups, bytes);
  }
}

}  // namespace neardup::cuda
