// Sorted files on their way into RocksDB.
#pragma once

#include <rocksdb/sst_file_writer.h>

#include <memory>
#include <string>
#include <vector>

#include "storage/rocksdb_state.h"

namespace neardup {

// Writes keys of one family, ascending, into files of a moderate size beside the state's own. They
// are removed at the end unless they were taken into the state.
class SstFiles {
 public:
  SstFiles(const RocksdbState& state, Family family, std::string name);
  ~SstFiles();
  SstFiles(const SstFiles&) = delete;
  SstFiles& operator=(const SstFiles&) = delete;

  void put(std::string_view key, std::string_view value);
  void finish();

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
};

// Takes finished files into the state, all or none.
void ingest(const RocksdbState& state, const std::vector<const SstFiles*>& files);

// Removes what a process that was killed has left of such files.
void remove_unfinished_files(const std::string& state_path);

}  // namespace neardup
