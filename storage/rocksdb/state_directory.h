// What can be said about a state directory before RocksDB opens it. Each throws a Failure that says
// what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

// A directory inside of one that is being restored. With it and without a database, the files
// beside it are not yet a state.
inline constexpr std::string_view kRestoringName = "restoring";

// The directory holds a database, of ours or not.
bool has_database(const std::string& path);

// Creates the directory where it is missing. Failure(kConfig) when it holds files that no state
// has, Failure(kIo) when it is not a directory that can be written.
void prepare_directory(const std::string& path);

// Another process has the state open for writing.
bool state_in_use(const std::string& path);

// "state DIR is in use by process 4711", as far as the lock file tells.
std::string in_use_message(const std::string& path);

// Changes whenever RocksDB's list of files does: the name and size of its manifest.
std::string file_list_version(const std::string& path);

// Sum of the sizes of all files in it.
std::uint64_t directory_bytes(const std::string& path);

}  // namespace neardup
