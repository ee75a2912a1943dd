// Checks of a state directory before RocksDB opens it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

// A subdirectory of a directory that is being restored. A directory that has it and no database is
// not yet a state.
inline constexpr std::string_view kRestoringName = "restoring";

// Whether the directory holds a RocksDB database, of neardup or not.
bool has_database(const std::string& path);

// Creates the directory if it is missing. Throws Failure(kConfig) when it holds files that no state
// has, or an interrupted restore; Failure(kIo) when it is not a writable directory.
void prepare_directory(const std::string& path);

// Whether another process has the state open for writing.
bool state_in_use(const std::string& path);

// "state DIR is in use by process 4711", with the process if the lock shows it.
std::string in_use_message(const std::string& path);

// RocksDB's names for its files.
std::string log_name(std::uint64_t number);
std::string manifest_name(std::uint64_t number);
// The number of the log, or of the manifest, at `path`; 0: it is something else.
std::uint64_t log_number(const std::string& path);
std::uint64_t manifest_number(const std::string& path);

// The number of the manifest that CURRENT names; 0: it names none.
std::uint64_t current_manifest(const std::string& path);

// The name and size of RocksDB's manifest, which change whenever its list of files does.
std::string file_list_version(const std::string& path);

// The sum of the sizes of all files in the directory.
std::uint64_t directory_bytes(const std::string& path);

}  // namespace neardup
