// Exact nearest neighbours of 1-bit sketches: every row is compared with every query, by XOR and
// counting bits (Løvstad, after Knudsen). What RowScan (gpu/search/row_scan.h) does on the host.
#pragma once

#include "gpu/cuda/search/kernels/hit_lists.h"
#include "gpu/cuda/search/kernels/packed_rows.h"
#include "pipeline/model/sketch_block.h"

namespace neardup::cuda {

inline constexpr u32 kNoRow = ~u32{0};

// Which rows are near a query.
struct ScanQuery {
  u32 limit;   // rows that differ in fewer bits
  u32 except;  // but not this row; kNoRow: none is left out
  u32 tag;     // and only those of this tag. Requires: > 0
  u32 most;    // how many of them are wanted (near_limits.h). Requires: > 0
};

// All rows × all queries.
struct RowsAndQueries {
  PackedRows rows;
  const NamespaceTag* tags;  // of each row; 0: there is no document, the row means nothing
  PackedRows queries;        // words_each as the rows
  const ScanQuery* about;    // of each query
};

// Memory of a group for queries that it holds at once.
inline constexpr u32 kQueriesAtOnce = 32;
inline constexpr u32 kQueryBytes = 32 << 10;

// How many queries a group holds that needs `extra` bytes more for each.
NEARDUP_HD u32 query_bytes(u32 words, u32 extra) {
  return words * 8 + u32{sizeof(ScanQuery)} + extra;
}
NEARDUP_HD u32 queries_at_once(u32 words, u32 extra = 0) {
  const u32 fitting = kQueryBytes / query_bytes(words, extra);
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

// The queries [first, first + count), in memory of the group.
struct HeldQueries {
  u64* words;
  ScanQuery* about;
  u32 first;
  u32 count;

  NEARDUP_HD HeldQueries(char* shared, u32 words_each, u32 first_query, u32 queries)
      : words(reinterpret_cast<u64*>(shared)),
        about(reinterpret_cast<ScanQuery*>(words + queries * words_each)),
        first(first_query),
        count(queries) {}

  NEARDUP_HD char* end() const { return reinterpret_cast<char*>(about + count); }

  template <class Group>
  NEARDUP_HD void load(Group& group, const RowsAndQueries& scan) const {
    const u32 size = count * scan.rows.words_each;
    group.each([&](u32 thread) {
      const u64* const from = scan.queries.row(first);
      for (u32 i = thread; i < size; i += Group::kThreads) words[i] = from[i];
      for (u32 i = thread; i < count; i += Group::kThreads) about[i] = scan.about[first + i];
    });
  }
};

// Calls near(i, distance) for each held query i that the row is near. kWords: of a row, or 0 for
// any number.
template <u32 kWords, class Near>
NEARDUP_HD void compare_row(const RowsAndQueries& scan, const HeldQueries& held, u64 row,
                            Near near) {
  if (row >= scan.rows.count || scan.tags[row] == 0) return;
  const u32 words = scan.rows.words_each;
  const u32 tag = scan.tags[row];
  const ScannedRow<kWords> own(scan.rows.row(row), words);
  for (u32 i = 0; i < held.count; ++i) {
    const u32 distance = own.distance(held.words + i * words);
    const ScanQuery& about = held.about[i];
    if (distance < about.limit && tag == about.tag && row != about.except) near(i, distance);
  }
}

// A row a thread.
template <u32 kWords>
struct ScanRows {
  static constexpr u32 kThreads = kBlock;
  RowsAndQueries scan;
  HitLists<NearHit> found;  // a list for each query

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u32 words = scan.rows.words_each;
    const u32 most = queries_at_once(words);
    for (u32 first = 0; first < scan.queries.count; first += most) {
      const u32 left = scan.queries.count - first;
      const HeldQueries held(group.shared(), words, first, left < most ? left : most);
      held.load(group, scan);
      group.each([&](u32 thread) {
        const u64 row = u64{index} * Group::kThreads + thread;
        compare_row<kWords>(scan, held, row, [&](u32 i, u32 distance) {
          found.append<Group>(first + i, {distance, static_cast<u32>(row)});
        });
      });
    }
  }
};

// Launches Kernel<words>{fields…}.
template <template <u32> class Kernel, class Launcher, class... Fields>
void launch_for_words(Launcher& launcher, u32 words, u32 groups, u32 bytes, Fields... fields) {
  switch (words) {
    case 2:
      return launcher.launch(Kernel<2>{fields...}, groups, bytes);
    case 4:
      return launcher.launch(Kernel<4>{fields...}, groups, bytes);
    case 8:
      return launcher.launch(Kernel<8>{fields...}, groups, bytes);
    case 16:
      return launcher.launch(Kernel<16>{fields...}, groups, bytes);
    default:
      return launcher.launch(Kernel<0>{fields...}, groups, bytes);
  }
}

// The results of ScanRows.
struct NearRows {
  RowsAndQueries scan;  // Requires: rows of at most 4096 words
  HitLists<NearHit> found;
};

template <class Launcher>
void scan_rows(Launcher& launcher, const NearRows& near) {
  const RowsAndQueries& scan = near.scan;
  const u32 words = scan.rows.words_each;
  const u32 groups = static_cast<u32>((u64{scan.rows.count} + kBlock - 1) / kBlock);
  const u32 most = queries_at_once(words);
  const u32 held = scan.queries.count < most ? scan.queries.count : most;
  if (groups == 0 || held == 0) return;
  launch_for_words<ScanRows>(launcher, words, groups, held * query_bytes(words, 0), scan,
                             near.found);
}

}  // namespace neardup::cuda
