// Requests of commands to the service that holds a state.
//
// Each gives nothing when no service can be asked: the state is free, or something else holds it,
// or the file that names the service was left behind. Then the caller opens the state, and that
// says what is the matter. They throw the Failure that the service answers with.
#pragma once

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

}  // namespace neardup
