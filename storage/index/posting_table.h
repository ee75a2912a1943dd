// Postings of one column in memory: 40 bits of hash → offsets of documents.
//
// A hash table with linear probing, whose slots are in the order of their hashes: the upper bits of
// a hash choose its slot, so a scan of the table returns sorted postings, and a flush need not
// sort.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/generation/columns.h"
#include "storage/large_pages.h"

namespace neardup {

// Offsets are below this, so that slot, hash and offset fit into a word.
inline constexpr std::uint32_t kMostOffsets = (std::uint32_t{1} << 23) - 1;

class PostingTable {
 public:
  PostingTable();

  // Requires: offset < kMostOffsets, above all earlier ones of the hash.
  void insert(Hash40 hash, std::uint32_t offset);

  // Calls visit(offset) for each offset of a hash, ascending, until it returns false.
  template <class Visit>
  void find(Hash40 hash, Visit visit) const {
    std::size_t at = home(hash);
    while (hash_in(slots_[at]) < hash) ++at;
    if (slots_[at] != kEmpty && hash_in(slots_[at]) == hash) visit_slot(slots_[at], visit);
  }

  // Drops the offsets of a hash for which deleted(offset). A hash with a single offset may keep it.
  template <class Deleted>
  void forget(Hash40 hash, Deleted deleted) {
    std::size_t at = home(hash);
    while (hash_in(slots_[at]) < hash) ++at;
    if (slots_[at] == kEmpty || hash_in(slots_[at]) != hash || (slots_[at] & kIsList) == 0) return;
    postings_ -= std::erase_if(lists_[payload(slots_[at])], deleted);
  }

  // The address where a look-up or insertion of the hash starts, to be prefetched.
  const void* address(Hash40 hash) const { return &slots_[home(hash)]; }

  // Calls visit(hash, offset) for each posting, sorted.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot slot : slots_) {
      if (slot == kEmpty) continue;
      visit_slot(slot, [&](std::uint32_t offset) {
        visit(hash_in(slot), offset);
        return true;
      });
    }
  }

  std::size_t size() const { return postings_; }

  std::uint64_t memory_bytes() const { return slots_.size() * sizeof(Slot); }  // without lists

  // The most postings of a table that takes at most `bytes`.
  static std::size_t most_postings(std::uint64_t bytes);

 private:
  // hash:40, is a list:1, offset or place of the list:23
  using Slot = std::uint64_t;
  using Slots = std::vector<Slot, OnLargePages<Slot>>;
  static constexpr Slot kEmpty = ~Slot{0};
  static constexpr unsigned kPayloadBits = 24;
  static constexpr Slot kIsList = Slot{1} << (kPayloadBits - 1);
  static constexpr std::size_t kPad = 64;  // slots after the last home

  static Hash40 hash_in(Slot slot) { return slot >> kPayloadBits; }
  static std::uint32_t payload(Slot slot) {
    return static_cast<std::uint32_t>(slot & (kIsList - 1));
  }
  std::size_t home(Hash40 hash) const { return hash >> (kHashBits - bits_); }
  template <class Visit>
  void visit_slot(Slot slot, Visit&& visit) const {
    if ((slot & kIsList) == 0) {
      visit(payload(slot));
      return;
    }
    for (const std::uint32_t offset : lists_[payload(slot)]) {
      if (!visit(offset)) return;
    }
  }
  void append(Slot& slot, std::uint32_t offset);
  void place(std::size_t at, Slot slot);
  void grow();

  unsigned bits_;  // 2^bits_ homes
  Slots slots_;    // the last is always empty
  std::size_t used_ = 0;
  std::size_t postings_ = 0;
  std::vector<std::vector<std::uint32_t>> lists_;  // of hashes with several offsets
};

}  // namespace neardup
