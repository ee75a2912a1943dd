#include "gpu/cuda/search/row_search.h"

#include "gpu/cuda/search/copies.h"
#include "gpu/cuda/search/kernels/search_kernels.h"

namespace neardup::cuda {
RowSearch::RowSearch(u32 words_each, const RowSearchLimits& limits)
    : limits_(limits),
      words_each_(words_each),
      words_(std::size_t{limits.queries} * words_each),
      about_(limits.queries),
      counts_(limits.queries),
      hits_(std::size_t{limits.queries} * limits.hits),
      device_words_(words_.size()),
      device_about_(about_.size()),
      device_counts_(counts_.size()),
      device_hits_(hits_.size()),
      histograms_(std::size_t{limits.queries} * kDistanceBins) {
  // Lists are copied as far as the longest one goes.
  clear(stream_, device_hits_.get(), device_hits_.size() * sizeof(NearHit));
}

u64 RowSearch::bytes(u32 words_each, const RowSearchLimits& limits) {
  return u64{limits.queries} * (u64{words_each} * sizeof(u64) + sizeof(ScanQuery) + sizeof(u32) +
                                u64{limits.hits} * sizeof(NearHit) + kDistanceBins * sizeof(u32));
}

void RowSearch::begin(std::span<RowQuery> queries) {
  queries_ = queries;
  rows_at_once_ = kNoRow;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    std::copy_n(queries[i].one_bit, words_each_, words_.get() + i * words_each_);
  }
  copy_in(stream_, words_.get(), device_words_.get(), queries.size() * words_each_);
}

void RowSearch::add(const RowBuffer& rows) {
  const u32 all = rows.seqs().count();
  for (u32 from = 0; from < all;) {
    const u32 count = static_cast<u32>(std::min<u64>(rows_at_once_, all - from));
    if (try_rows(rows, from, count)) {
      from += count;
      rows_at_once_ += count;
    } else {  // never when the rows are no more than limits_.hits
      rows_at_once_ = std::max<u64>(count / 2, limits_.hits);
    }
  }
}

// False: some query has more hits than there is room for. Nothing has been offered then.
bool RowSearch::try_rows(const RowBuffer& rows, u32 from, u32 count) {
  const u32 queries = static_cast<u32>(queries_.size());
  const RowsAndQueries scan = rows_and_queries(rows, from, count);
  describe(rows.seqs(), from, count);
  if (count > limits_.hits) lower_limits(scan);
  clear(stream_, device_counts_.get(), queries * sizeof(u32));
  start_row_scan(stream_.get(),
                 {scan, {device_hits_.get(), device_counts_.get(), queries, limits_.hits}});
  const u32 found = most_found();
  if (found > limits_.hits) return false;
  if (found > 0) offer(rows.seqs(), from, found);
  return true;
}

RowsAndQueries RowSearch::rows_and_queries(const RowBuffer& rows, u32 from, u32 count) const {
  return {rows.rows(from, count),
          rows.tags(from),
          {device_words_.get(), static_cast<u32>(queries_.size()), words_each_},
          device_about_.get()};
}

void RowSearch::lower_limits(const RowsAndQueries& scan) {
  clear(stream_, histograms_.get(), queries_.size() * kDistanceBins * sizeof(u32));
  start_limit_lowering(stream_.get(), {scan, device_about_.get(), histograms_.get()});
}

void RowSearch::describe(const RowSeqs& seqs, u32 from, u32 count) {
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    const RowQuery& query = queries_[i];
    const u32 row = seqs.row(query.except);
    const bool here = row != kNoRow && row >= from && row - from < count;
    about_.get()[i] = {query.nearest.limit(), here ? row - from : kNoRow, query.tag,
                       static_cast<u32>(query.nearest.most())};
  }
  copy_in(stream_, about_.get(), device_about_.get(), queries_.size());
}

// By a query. Waits for the kernel.
u32 RowSearch::most_found() {
  copy_out(stream_, device_counts_.get(), counts_.get(), queries_.size());
  done_.record(stream_);
  done_.wait();
  return *std::max_element(counts_.get(), counts_.get() + queries_.size());
}

void RowSearch::offer(const RowSeqs& seqs, u32 from, u32 found) {
  const u32 queries = static_cast<u32>(queries_.size());
  copy_out(stream_, device_hits_.get(), hits_.get(), std::size_t{found} * queries);
  done_.record(stream_);
  done_.wait();
  const HitLists<NearHit> hits{hits_.get(), counts_.get(), queries, limits_.hits};
  for (u32 j = 0; j < found; ++j) {  // in the order of memory
    for (u32 i = 0; i < queries; ++i) {
      if (j >= hits.kept(i)) continue;
      const NearHit& hit = hits.at(i, j);
      queries_[i].nearest.offer(hit.distance, seqs.seq(from + hit.row));
    }
  }
  for (RowQuery& query : queries_) query.nearest.cut();
}

}  // namespace neardup::cuda
