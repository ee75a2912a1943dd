#include "storage/rocksdb/damaged_tables.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_reader.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "storage/rocksdb/state.h"

namespace neardup {
namespace {

// How RocksDB tells of a table of another database, which is whole by itself.
constexpr std::string_view kNumberFollows = "on table file ";

std::vector<std::string> table_in_message(const std::string& path, const std::string& message) {
  const auto at = message.find(kNumberFollows);
  if (at == std::string::npos) return {};
  std::uint64_t number = 0;
  std::from_chars(message.data() + at + kNumberFollows.size(), message.data() + message.size(),
                  number);
  return {fmt::format("{}/{:06}.sst", path, number)};
}

bool is_whole(const rocksdb::LiveFileMetaData& table, const std::string& file,
              const rocksdb::Options& options) {
  std::error_code error;
  if (std::filesystem::file_size(file, error) != table.size || error) return false;
  return rocksdb::SstFileReader(options).Open(file).ok();
}

}  // namespace

std::vector<std::string> damaged_tables(
    const RocksdbOptions& tuned, const std::string& path,
    const std::vector<rocksdb::ColumnFamilyDescriptor>& families, const rocksdb::Status& status) {
  if (auto named = table_in_message(path, status.ToString()); !named.empty()) return named;
  rocksdb::DBOptions options = tuned.db;
  options.paranoid_checks = false;  // opens the database regardless of its tables
  Database database;
  rocksdb::DB* db = nullptr;
  rocksdb::DB::OpenForReadOnly(options, path, families, &database.families, &db)
      .PermitUncheckedError();
  database.db.reset(db);
  if (db == nullptr) return {};
  std::vector<rocksdb::LiveFileMetaData> tables;
  db->GetLiveFilesMetaData(&tables);
  const rocksdb::Options of_tables(options, families.front().options);
  std::vector<std::string> damaged;
  for (const rocksdb::LiveFileMetaData& table : tables) {
    std::string file = path + table.name;  // which begins with a slash
    if (!is_whole(table, file, of_tables)) damaged.push_back(std::move(file));
  }
  return damaged;
}

}  // namespace neardup
