#include "service/state/stored_version.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "pipeline/base/failure.h"

namespace neardup {

std::optional<DocumentRow> stored_document(Seq seq, Store& store) {
  std::vector<std::optional<DocumentRow>> rows;
  store.documents({&seq, 1}, rows);
  return std::move(rows.front());
}

std::optional<StoredVersion> stored_version(const IdKey& key, Store& store) {
  std::vector<std::optional<IdRow>> ids;
  store.ids({&key, 1}, ids);
  if (!ids.front()) return {};
  StoredVersion version{*ids.front(), {}};
  if (!version.id.has_document) return version;
  version.document = stored_document(version.id.seq, store);
  if (!version.document) {
    throw Failure(Exit::kInternal, fmt::format("{}: its document row is missing", key.id));
  }
  return version;
}

std::string original_id(const IdRow& row, Store& store) {
  const std::optional<DocumentRow> original = stored_document(row.original, store);
  return original ? original->id : kDeletedDocument;
}

}  // namespace neardup
