// An open RocksDB database that was checked to be a neardup state. Included within storage/ only.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>
#include <rocksdb/statistics.h>
#include <rocksdb/write_batch.h>
#include <rocksdb/write_buffer_manager.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/mutex.h"
#include "storage/rocksdb/end_keeper.h"
#include "storage/rocksdb/families.h"
#include "storage/store.h"

namespace neardup {

// A view of `bytes`.
template <std::size_t size>
rocksdb::Slice as_slice(const std::array<char, size>& bytes) {
  return {bytes.data(), size};
}

// Remembers the first error of a flush or compaction, and prevents RocksDB's automatic recovery:
// the process ends instead. Called from RocksDB's threads.
class BackgroundErrors : public rocksdb::EventListener {
 public:
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override;
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason reason, rocksdb::Status error,
                            bool* auto_recovery) override;
  rocksdb::Status first();

 private:
  Mutex mutex_;
  rocksdb::Status first_ GUARDED_BY(mutex_);
};

// A database and its column families, closed in the right order.
struct Database {
  Database() = default;
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> families;  // owned
};

// Holds the state open, and locked unless read-only, as long as it lives. Disk errors are thrown as
// Failure(kIo) that names the path.
class RocksdbState {
 public:
  // Opens or creates the state, and checks that it is a neardup state of this format; see
  // open_store.
  RocksdbState(const StorageOptions& options, OpenMode mode);
  // Writes the last end of the state (end_keeper.h).
  ~RocksdbState();
  RocksdbState(const RocksdbState&) = delete;
  RocksdbState& operator=(const RocksdbState&) = delete;

  rocksdb::DB& db() const { return *database_.db; }
  rocksdb::ColumnFamilyHandle* family(Family which) const {
    return database_.families[static_cast<std::size_t>(which)];
  }
  const std::string& path() const { return path_; }
  // Null unless StorageOptions::statistics.
  const rocksdb::Statistics* statistics() const { return tuned_.db.statistics.get(); }
  // Bytes of the block cache that are reserved for write buffers.
  std::uint64_t reserved_in_cache() const {
    return tuned_.db.write_buffer_manager->dummy_entries_in_cache_usage();
  }
  bool temporary() const { return temporary_; }
  // The options for writing files of a family.
  rocksdb::Options options(Family which) const {
    return {tuned_.db, tuned_.families[static_cast<std::size_t>(which)].options};
  }

  // Writes durably, unless the state is temporary; as `check` otherwise.
  void write(rocksdb::WriteBatch& batch, std::string_view doing) const;
  // To be called after each commit of the owner of the store. Throws Failure(kIo).
  void committed();
  // Copies the state, as of its last write, to a directory that does not exist yet.
  void checkpoint(const std::string& path) const;

  // Throws unless `status` is good; `doing` completes "state DIR: … failed".
  void check(const rocksdb::Status& status, std::string_view doing) const;
  // Throws when a flush or compaction has failed since the state was opened.
  void check_background() const;
  [[noreturn]] void damaged(std::string_view what) const;

 private:
  void open_for_reading(const RocksdbOptions& tuned);
  void open_for_writing(const RocksdbOptions& tuned, bool migrates);
  // The families of the state, in the order of Family; none when its creation was interrupted and
  // it holds nothing. Throws Failure(kConfig) when it is not a state of this format.
  std::vector<rocksdb::ColumnFamilyDescriptor> stored_families(const RocksdbOptions& tuned,
                                                               bool migrates) const;
  void check_or_write_identity(OpenMode mode);
  std::string meta(std::string_view key) const;
  Reach reach() const;

  std::string path_;
  const bool temporary_;
  RocksdbOptions tuned_;
  std::shared_ptr<BackgroundErrors> background_ = std::make_shared<BackgroundErrors>();
  std::shared_ptr<WatchedFiles> files_ = std::make_shared<WatchedFiles>();
  std::unique_ptr<rocksdb::Env> env_;  // of `tuned_`
  std::unique_ptr<EndKeeper> end_;     // of a kept state that is open for writing; outlives it
  Database database_;
};

}  // namespace neardup
