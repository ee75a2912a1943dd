// `neardup delete`: deletes documents of a state between two batches. Such a delete takes no seq.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/state_access.h"

namespace neardup {

struct DeleteReport {
  std::uint64_t deleted = 0;         // ids
  std::uint64_t documents = 0;       // those ids with a stored document, not only a verdict
  std::uint64_t text_bytes = 0;      // of those documents' normalised texts, kept or not
  std::vector<std::string> unknown;  // ids that were not there
};

// Erases the ids and everything stored of them, and logs the deletes (docs/formats/deletes.md) in
// the state, with the same commit, and then in the file `deletes` of its directory. A repeated id
// counts once. `now_ms`: the wall clock, for the log.
DeleteReport delete_documents(const std::string& state, const std::string& name_space,
                              std::vector<std::string> ids, std::int64_t now_ms,
                              StateAccess& access);

// The report that delete_documents would give now. Deletes nothing.
DeleteReport count_deletes(const std::string& name_space, std::vector<std::string> ids,
                           Store& store);

// One object: deleted, documents, text_bytes, unknown.
std::string delete_report_json(const DeleteReport& report);
// Throws Failure(kInternal) for any other text.
DeleteReport parse_delete_report(const std::string& json);

}  // namespace neardup
