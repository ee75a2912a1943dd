// Changes of ids by one batch: id → its last change, in the order in which the ids came.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pipeline/match/slot_table.h"
#include "storage/store.h"

namespace neardup {

struct PendingId {
  IdKey key;
  IdRow row;
  std::string_view text = {};  // of an id without a document; not owned
  bool erased = false;
};

class PendingIds {
 public:
  // Null: the batch has not changed the id.
  const PendingId* find(const IdKey& key) const;
  // The entry of an id, made where there is none. Valid until the next call.
  PendingId& entry(IdKey key);
  const std::vector<PendingId>& entries() const { return entries_; }

  // The address that a look-up of the id reads first.
  const void* address(std::string_view name_space, std::string_view id) const {
    return table_.address(hash(name_space, id));
  }

  // Keeps its memory.
  void clear();

 private:
  static std::uint32_t hash(std::string_view name_space, std::string_view id);
  auto is(const IdKey& key) const {
    return [this, &key](std::uint32_t number) { return entries_[number].key == key; };
  }

  SlotTable table_;
  std::vector<PendingId> entries_;
};

}  // namespace neardup
