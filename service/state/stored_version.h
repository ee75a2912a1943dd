// The current version of one id, as a state stores it.
#pragma once

#include <optional>
#include <string>

#include "storage/store.h"

namespace neardup {

struct StoredVersion {
  IdRow id;
  std::optional<DocumentRow> document;  // nothing: a copy, or kept without a document
};

// Nothing when the state has no such id. Throws Failure(kInternal) when its document is missing.
std::optional<StoredVersion> stored_version(const IdKey& key, Store& store);

// The row of a stored document. Nothing: it has ended.
std::optional<DocumentRow> stored_document(Seq seq, Store& store);

// Stands for the id of a document that is no longer stored, in messages.
inline constexpr const char* kDeletedDocument = "a document that was deleted";

// The id of the document that a flagged version repeats, in words for a message.
std::string original_id(const IdRow& row, Store& store);

}  // namespace neardup
