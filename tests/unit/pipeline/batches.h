// What the tests of decisions do with a store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/resolve.h"
#include "storage/store.h"

namespace neardup {

// Ends the batch of `resolver`, as the pipeline does.
inline void commit_batch(Resolver& resolver, Store& store) {
  WriteSet writes;
  resolver.fill(writes);
  store.commit(writes);
  resolver.committed(writes);
}

// The row of an id without a namespace.
inline std::optional<IdRow> id_row_of(Store& store, const std::string& id) {
  const IdKey key{"", id};
  std::vector<std::optional<IdRow>> rows;
  store.ids({&key, 1}, rows);
  return rows.front();
}

}  // namespace neardup
