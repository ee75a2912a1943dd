// Requests of commands to the service that holds a state. The service is found by the control file
// in the directory of the state (control_file.h), or its URL is given.
//
// A request by directory returns nothing when there is no service to ask: the state is not in use,
// something else holds it, or the control file is stale. The caller then opens the state itself,
// which fails with a clear message if the state is in use. A request throws the Failure that the
// service answers with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/control/search_request.h"
#include "service/state/delete_documents.h"

namespace neardup {

// The text of the rule that the service decides by.
std::optional<std::string> ask_for_rule(const std::string& state);

// These three also return nothing when the service cannot answer now: the caller can read the state
// while the service holds it.
std::optional<std::string> ask_for_stats(const std::string& state, bool json);
std::optional<std::string> ask_about_ids(const std::string& state, const std::string& name_space,
                                         const std::string& a, const std::string& b, bool colour);

// Also nothing when the service has no such engine, or the request is too large for it.
std::optional<std::string> ask_for_similar(const std::string& state, const SearchRequest& request);

std::optional<DeleteReport> ask_to_delete(const std::string& state, const std::string& name_space,
                                          const std::vector<std::string>& ids);

// Makes the checkpoint of backup.h. False: there is no service to ask.
bool ask_for_checkpoint(const std::string& state);

// A backup that a service makes into its `backup.directory`.
struct ServiceBackup {
  std::string name;             // of its directory
  bool done = false;            // it is complete; else it is being made
  std::uint64_t bytes = 0;      // copied so far
  std::uint64_t documents = 0;  // this and the next two: only when it is done
  std::uint64_t next_seq = 0;
  std::uint64_t files = 0;
};

// Asks the service at `url` (http://HOST:PORT) to begin a backup if `name` is empty, or else for
// the progress of that backup. `token`: that of its `http.token_file`. Nothing without an answer.
// Throws the Failure that the service answers with, also when the backup has failed, and
// Failure(kConfig) for a wrong token.
std::optional<ServiceBackup> ask_for_backup(const std::string& url, const std::string& token,
                                            const std::string& name);

}  // namespace neardup
