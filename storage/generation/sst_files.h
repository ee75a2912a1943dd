// Writes SST files and ingests them into RocksDB.
#pragma once

#include <rocksdb/sst_file_writer.h>

#include <memory>
#include <string>
#include <vector>

#include "storage/rocksdb/state.h"

namespace neardup {

// Writes keys of one family, ascending, into files of a limited size in the state's directory. The
// destructor removes them unless they were ingested or `keep` was called.
class SstFiles {
 public:
  // `kept` files of this name exist already; new keys go to files after them.
  SstFiles(const RocksdbState& state, Family family, std::string name, std::size_t kept = 0);
  ~SstFiles();
  SstFiles(const SstFiles&) = delete;
  SstFiles& operator=(const SstFiles&) = delete;

  void put(std::string_view key, std::string_view value);
  // Completes the current file; later keys go to another one.
  void finish();
  // The files so far are not removed by the destructor, and survive a power loss once this returns.
  // Requires: `finish` was called.
  void keep();

  Family family() const { return family_; }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  void open();
  void close();

  const RocksdbState& state_;
  Family family_;
  std::string name_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;
  std::vector<std::string> paths_;
  std::size_t kept_;
};

// The path of file `number` of that name.
std::string unfinished_path(const RocksdbState& state, const std::string& name, std::size_t number);

// The name of the files of a generation's pages.
std::string index_file_name(std::uint32_t generation);

// Ingests finished files into the state, all or none.
void ingest(const RocksdbState& state, const std::vector<const SstFiles*>& files);

// Removes files that were not ingested, which a killed process has left behind, except the first
// `kept` of that name.
void remove_unfinished_files(const RocksdbState& state, const std::string& name = {},
                             std::size_t kept = 0);

}  // namespace neardup
