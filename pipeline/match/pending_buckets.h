// The buckets of the documents of one batch: bucket → their numbers, oldest first.
//
// Buckets are told apart by 32 bits of a hash, so a list holds hints. Most buckets have one number,
// which the table of hashes itself holds.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline/match/slot_table.h"
#include "storage/store.h"

namespace neardup {

class PendingBuckets {
 public:
  // The numbers of a bucket ascend, and are below 2^31.
  void add(const Bucket& bucket, std::uint32_t number);

  // The address that a look-up of the bucket reads first.
  const void* address(const Bucket& bucket) const { return table_.address(hash(bucket)); }

  // How many numbers a bucket has, without the numbers that `visit` has dropped.
  std::size_t size(const Bucket& bucket) const {
    const std::uint32_t found = table_.find(hash(bucket), kAny).number;
    if (is_list(found)) return lists_[found - kFirstList].size;
    return found == SlotTable::kFree || found == kDropped ? 0 : 1;
  }

  // Calls visit(number) for each number of a bucket for which live(number), oldest first, until it
  // returns false; the others are dropped on the way.
  template <class Live, class Visit>
  void visit(const Bucket& bucket, Live live, Visit visit) {
    std::uint32_t& found = table_.find(hash(bucket), kAny).number;
    if (found == SlotTable::kFree || found == kDropped) return;
    if (is_list(found)) {
      visit_list(lists_[found - kFirstList], live, visit);
    } else if (live(found)) {
      visit(found);
    } else {
      found = kDropped;
    }
  }

  // Keeps its memory.
  void clear();

 private:
  // Slots hold the number of a document, a list from here on, or one of two marks.
  static constexpr std::uint32_t kFirstList = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kDropped = SlotTable::kFree - 1;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  // of nodes: none, or dropped
  static constexpr std::size_t kInNode = 7;
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

  static bool is_list(std::uint32_t found) { return found >= kFirstList && found < kDropped; }
  static std::uint32_t hash(const Bucket& bucket) {
    const std::uint64_t key = bucket.key ^ bucket.band * 0xd6e8feb86659fd93;
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

  SlotTable table_;
  std::vector<List> lists_;
  std::vector<Node> nodes_;
};

}  // namespace neardup
