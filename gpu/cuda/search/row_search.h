// A batch of queries, and comparing rows in memory of the device with them. Rows are scanned twice:
// first for the distances that are worth reporting, then for the rows that are so near.
#pragma once

#include <span>

#include "gpu/cuda/search/row_buffer.h"
#include "gpu/search/row_scan.h"

namespace neardup::cuda {

struct RowSearchLimits {
  u32 queries = 1024;  // of a batch
  u32 hits = 4096;     // of a query in a launch; twice the length of its list or more is best
};

class RowSearch {
 public:
  // Allocates bytes() on the device. Throws CudaFailure, as all calls do.
  RowSearch(u32 words_each, const RowSearchLimits& limits);

  static u64 bytes(u32 words_each, const RowSearchLimits& limits);

  // Begins a batch. Requires: no more queries than limits.queries, all tags > 0. The queries must
  // outlive the batch.
  void begin(std::span<RowQuery> queries);

  // Offers all rows to the queries of the batch. Requires: the rows are there; seqs above those
  // that the queries have seen.
  void add(const RowBuffer& rows);

 private:
  bool try_rows(const RowBuffer& rows, u32 from, u32 count);
  RowsAndQueries rows_and_queries(const RowBuffer& rows, u32 from, u32 count) const;
  void describe(const RowSeqs& seqs, u32 from, u32 count);
  void lower_limits(const RowsAndQueries& scan);
  u32 most_found();
  void offer(const RowSeqs& seqs, u32 from, u32 found);

  RowSearchLimits limits_;
  u32 words_each_;
  std::span<RowQuery> queries_;
  u64 rows_at_once_ = 0;  // of the next launch

  Stream stream_;
  Event done_;
  PinnedArray<u64> words_;
  PinnedArray<ScanQuery> about_;
  PinnedArray<u32> counts_;
  PinnedArray<NearHit> hits_;
  DeviceArray<u64> device_words_;
  DeviceArray<ScanQuery> device_about_;
  DeviceArray<u32> device_counts_;
  DeviceArray<NearHit> device_hits_;
  DeviceArray<u32> histograms_;
};

}  // namespace neardup::cuda
