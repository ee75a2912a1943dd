// `neardup delete`: documents of a state end by command, between two batches. They take no seq.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/state_access.h"

namespace neardup {

struct DeleteReport {
  std::uint64_t deleted = 0;     // ids
  std::uint64_t documents = 0;   // of them those with a sketch, and perhaps a text, of their own
  std::uint64_t text_bytes = 0;  // of those documents' normalised texts, kept or not
  std::vector<std::string> unknown;  // ids that were not there
};

// Erases the ids with all that is stored of them, and logs that (docs/formats/deletes.md): once in
// the state, in the same commit, and again in the file `deletes` of its directory. An id that
// stands twice counts once. `now_ms`: of the clock, for the log.
DeleteReport delete_documents(const std::string& state, const std::string& name_space,
                              std::vector<std::string> ids, std::int64_t now_ms,
                              StateAccess& access);

// One object: deleted, documents, text_bytes, unknown.
std::string delete_report_json(const DeleteReport& report);
// Throws Failure(kInternal) for anything else.
DeleteReport parse_delete_report(const std::string& json);

}  // namespace neardup
