// Requests of commands to the service that holds a state: found by the file in its directory, or
// named by the user.
//
// Each of those by directory gives nothing when no service can be asked: the state is free, or
// something else holds it, or the file that names the service was left behind. Then the caller
// opens the state, and that says what is the matter. They throw the Failure that the service
// answers with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/state/delete_documents.h"

namespace neardup {

// Questions: also nothing when the service cannot answer now, since a state may be read beside it.
std::optional<std::string> ask_for_stats(const std::string& state, bool json);
std::optional<std::string> ask_about_ids(const std::string& state, const std::string& name_space,
                                         const std::string& a, const std::string& b);

std::optional<DeleteReport> ask_to_delete(const std::string& state, const std::string& name_space,
                                          const std::vector<std::string>& ids);

// Makes the checkpoint of backup.h. False: nobody can be asked.
bool ask_for_checkpoint(const std::string& state);

// A backup that a service makes into its `backup.directory`.
struct ServiceBackup {
  std::string name;             // of the directory there
  bool done = false;            // it is whole; else it is being made
  std::uint64_t bytes = 0;      // copied so far
  std::uint64_t documents = 0;  // from here on: when it is done
  std::uint64_t next_seq = 0;
  std::uint64_t files = 0;
};

// Asks the service at `url` (http://HOST:PORT), by `http.token_file`: to begin a backup when `name`
// is empty, else how that one goes. Nothing when nobody answers. Throws the Failure that the
// service answers with, also when the backup has failed, and Failure(kConfig) for a wrong token.
std::optional<ServiceBackup> ask_for_backup(const std::string& url, const std::string& token,
                                            const std::string& name);

}  // namespace neardup
