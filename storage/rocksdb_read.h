// Look-ups in a state, many at a time. Included by rocksdb_* only.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rocksdb_state.h"
#include "storage/store.h"

namespace neardup {

struct KeyLookup {
  std::string key;
  std::size_t place = 0;  // for the caller
  auto operator<=>(const KeyLookup&) const = default;
};

// Calls found(lookup, value) for each key that is there, in the order of the keys. Sorts `lookups`.
void find_keys(RocksdbState& state, Family family, std::vector<KeyLookup>& lookups,
               const std::function<void(const KeyLookup&, std::string_view value)>& found);

// As Store::postings.
void find_postings(RocksdbState& state, std::span<const Bucket> buckets, Seq after,
                   std::size_t limit, std::vector<PostingList>& lists);

}  // namespace neardup
