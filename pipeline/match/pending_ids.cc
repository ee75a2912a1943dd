#include "pipeline/match/pending_ids.h"

#include <utility>

#include "storage/keyed_hash.h"

namespace neardup {

const PendingId* PendingIds::find(const IdKey& key) const {
  const SlotTable::Slot& slot = table_.find(hash(key.name_space, key.id), is(key));
  return slot.is_free() ? nullptr : &entries_[slot.number];
}

PendingId& PendingIds::entry(IdKey key) {
  const std::uint32_t hash_of_key = hash(key.name_space, key.id);
  SlotTable::Slot& slot = table_.find(hash_of_key, is(key));
  if (!slot.is_free()) return entries_[slot.number];
  table_.put(slot, hash_of_key, static_cast<std::uint32_t>(entries_.size()));
  return entries_.emplace_back(PendingId{.key = std::move(key), .row = {}});
}

void PendingIds::clear() {
  table_.clear();
  entries_.clear();
}

std::uint32_t PendingIds::hash(std::string_view name_space, std::string_view id) {
  const KeyedHash hash;
  return static_cast<std::uint32_t>((hash(id) * 31 + hash(name_space)) >> 32);
}

}  // namespace neardup
