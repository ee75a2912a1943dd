#include "pipeline/retention/due_deletes.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "pipeline/state_keys.h"

namespace neardup {

DueDeletes::DueDeletes(Store& store) : due_(read_deletes(store, kMetaDeleteDue)) {
  std::ranges::sort(due_, std::greater<>(), [](const LoggedDelete& entry) {
    return std::pair(entry.before, entry.number);
  });
}

std::optional<IdKey> DueDeletes::take(Seq seq) {
  if (due_.empty() || due_.back().before > seq) return {};
  taken_.push_back(due_.back().number);
  IdKey key = std::move(due_.back().key);
  due_.pop_back();
  return key;
}

void DueDeletes::fill(WriteSet& writes) const {
  for (const std::uint64_t number : taken_) {
    writes.meta.emplace_back(delete_meta_key(kMetaDeleteDue, number), "");
  }
}

}  // namespace neardup
