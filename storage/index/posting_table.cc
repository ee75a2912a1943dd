#include "storage/index/posting_table.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr unsigned kFirstBits = 10;

// Above three quarters, probe sequences get long.
constexpr std::size_t most_used(std::size_t homes) { return homes / 4 * 3; }

}  // namespace

PostingTable::PostingTable() : bits_(kFirstBits), slots_((1u << kFirstBits) + kPad, kEmpty) {}

std::size_t PostingTable::most_postings(std::uint64_t bytes) {
  std::size_t homes = std::size_t{1} << kFirstBits;
  while (2 * homes * sizeof(Slot) <= bytes) homes *= 2;
  return most_used(homes);
}

void PostingTable::insert(Hash40 hash, std::uint32_t offset) {
  ++postings_;
  std::size_t at = home(hash);
  while (hash_in(slots_[at]) < hash) ++at;
  if (slots_[at] != kEmpty && hash_in(slots_[at]) == hash) {
    append(slots_[at], offset);
    return;
  }
  place(at, hash << kPayloadBits | offset);
  if (++used_ > most_used(std::size_t{1} << bits_)) grow();
}

void PostingTable::append(Slot& slot, std::uint32_t offset) {
  if ((slot & kIsList) == 0) {
    lists_.push_back({payload(slot)});
    slot = hash_in(slot) << kPayloadBits | kIsList | (lists_.size() - 1);
  }
  lists_[payload(slot)].push_back(offset);
}

// Inserts a slot at `at`, and shifts the slots after it up to the next empty one.
void PostingTable::place(std::size_t at, Slot slot) {
  while (slot != kEmpty) std::swap(slots_[at++], slot);
  if (at == slots_.size()) slots_.push_back(kEmpty);
}

void PostingTable::grow() {
  ++bits_;
  Slots old((std::size_t{1} << bits_) + kPad, kEmpty);
  old.swap(slots_);
  std::size_t next = 0;
  for (const Slot slot : old) {
    if (slot == kEmpty) continue;
    next = std::max(next, home(hash_in(slot)));
    if (next + 1 >= slots_.size()) slots_.push_back(kEmpty);
    slots_[next++] = slot;
  }
}

}  // namespace neardup
