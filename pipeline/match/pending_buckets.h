// The buckets of the documents of one batch, a table for each band and one for contents.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline/match/slot_table.h"
#include "storage/store.h"

namespace neardup {

// The buckets of one band, or of contents: bucket → the numbers of their documents, oldest first.
//
// Buckets are told apart by 32 bits of a hash, so a list holds hints. Each bucket has a place, a
// number that is found once and then leads to its documents without a search. Places are given in
// the order in which buckets come, so that those of new buckets lie side by side.
class BucketColumn {
 public:
  static constexpr std::uint32_t kNowhere = SlotTable::kFree;  // of no bucket

  BucketColumn() : table_(kFirstBits) {}

  // The place of a bucket, or kNowhere.
  std::uint32_t find(std::uint64_t key) const { return table_.find(hash(key), kAny).number; }
  // The place of a bucket, which gets one if it has none. `is_new`: it had none.
  std::uint32_t make(std::uint64_t key, bool& is_new) {
    SlotTable::Slot& slot = table_.find(hash(key), kAny);
    is_new = slot.is_free();
    if (!is_new) return slot.number;
    const auto place = static_cast<std::uint32_t>(buckets_.size());
    buckets_.push_back(kNone);
    table_.put(slot, hash(key), place);
    return place;
  }

  // The address that `find` and `make` read first.
  const void* address(std::uint64_t key) const { return table_.address(hash(key)); }

  // Adds a document to the bucket at a place. The numbers of a bucket ascend, and are below 2^31.
  void add(std::uint32_t place, std::uint32_t number);

  // How many numbers a bucket has, without the numbers that `visit` has dropped.
  std::size_t size(std::uint32_t place) const {
    const std::uint32_t found = buckets_[place];
    if (is_list(found)) return lists_[found - kFirstList].size;
    return found == kNone ? 0 : 1;
  }

  // Calls visit(number) for each number of a bucket for which live(number), oldest first, until it
  // returns false; the others are dropped on the way.
  template <class Live, class Visit>
  void visit(std::uint32_t place, Live live, Visit visit) {
    std::uint32_t& found = buckets_[place];
    if (found == kNone) return;
    if (is_list(found)) {
      visit_list(lists_[found - kFirstList], live, visit);
    } else if (live(found)) {
      visit(found);
    } else {
      found = kNone;
    }
  }

  // Keeps its memory.
  void clear();

 private:
  // A bucket holds the number of a document, a list from here on, or nothing.
  static constexpr std::uint32_t kFirstList = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  // of nodes, too
  static constexpr std::size_t kInNode = 7;
  static constexpr unsigned kFirstBits = 8;
  static constexpr auto kAny = [](std::uint32_t) { return true; };

  struct List {
    std::uint32_t first = kNone;  // nodes
    std::uint32_t last = kNone;
    std::uint32_t size = 0;
    std::uint32_t added = 0;
  };
  struct Node {
    std::array<std::uint32_t, kInNode> numbers;
    std::uint32_t next;
  };

  static bool is_list(std::uint32_t found) { return found >= kFirstList && found < kNone; }
  static std::uint32_t hash(std::uint64_t key) {
    return static_cast<std::uint32_t>(key * 0x9e3779b97f4a7c15 >> 32);
  }
  template <class Live, class Visit>
  void visit_list(List& list, Live live, Visit visit) {
    std::uint32_t before = kNone;
    for (std::uint32_t at = list.first; at != kNone; at = nodes_[at].next) {
      bool empty = true;
      for (std::uint32_t& number : nodes_[at].numbers) {
        if (number == kNone) continue;
        if (live(number)) {
          if (!visit(number)) return;
          empty = false;
        } else {
          number = kNone;
          --list.size;
        }
      }
      if (empty && at != list.last) {
        (before == kNone ? list.first : nodes_[before].next) = nodes_[at].next;
      } else {
        before = at;
      }
    }
  }
  void append(List& list, std::uint32_t number);

  SlotTable table_;                     // hash → place
  std::vector<std::uint32_t> buckets_;  // by place
  std::vector<List> lists_;
  std::vector<Node> nodes_;
};

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
