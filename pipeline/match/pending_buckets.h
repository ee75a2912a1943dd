// The buckets of the documents of one batch, a table for each band and one for contents.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/match/bucket_column.h"
#include "storage/store.h"

namespace neardup {

class PendingBuckets {
 public:
  // Where a bucket is; the place is one of its column, or BucketColumn::kNowhere.
  struct At {
    std::size_t column = 0;
    std::uint32_t place = BucketColumn::kNowhere;
  };
  static std::size_t column_of(std::uint16_t band) {
    return band == kContentBand ? 0 : std::size_t{1} + band;
  }

  // From now on there are these columns, at least. To be called before buckets of theirs come.
  void reserve(std::size_t columns) {
    if (columns_.size() < columns) columns_.resize(columns);
  }
  // Several threads may change different columns at once.
  BucketColumn& column(std::size_t number) { return columns_[number]; }

  At find(const Bucket& bucket) const {
    const std::size_t column = column_of(bucket.band);
    return {column,
            column < columns_.size() ? columns_[column].find(bucket.key) : BucketColumn::kNowhere};
  }
  At make(const Bucket& bucket) {
    const std::size_t column = column_of(bucket.band);
    reserve(column + 1);
    bool is_new = false;
    return {column, columns_[column].make(bucket.key, is_new)};
  }
  // The address that `find` reads first; null: none.
  const void* address(const Bucket& bucket) const {
    const std::size_t column = column_of(bucket.band);
    return column < columns_.size() ? columns_[column].address(bucket.key) : nullptr;
  }

  // As those of BucketColumn.
  void add(const At& at, std::uint32_t number) { columns_[at.column].add(at.place, number); }
  std::size_t size(const At& at) const {
    return at.place == BucketColumn::kNowhere ? 0 : columns_[at.column].size(at.place);
  }
  template <class Live, class Visit>
  void visit(const At& at, Live live, Visit visit) {
    if (at.place != BucketColumn::kNowhere) columns_[at.column].visit(at.place, live, visit);
  }

  // Keeps its memory. All places are gone.
  void clear() {
    for (BucketColumn& column : columns_) column.clear();
  }

 private:
  std::vector<BucketColumn> columns_;
};

}  // namespace neardup
