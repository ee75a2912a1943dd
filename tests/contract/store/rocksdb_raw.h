// A state's database, changed behind the store's back.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace neardup::testing {

// Calls change(database, handles); `handles` are those of its families.
using Handles = std::vector<rocksdb::ColumnFamilyHandle*>;
inline void with_database(const std::string& path,
                          const std::function<void(rocksdb::DB&, const Handles&)>& change) {
  rocksdb::Options options;
  options.create_if_missing = true;
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) names = {"default"};
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  Handles handles;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, path, families, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> database(opened);
  change(*database, handles);
  for (auto* handle : handles) delete handle;
}

// Calls use(database, handle of the family `name`).
inline void with_family(
    const std::string& path, const std::string& name,
    const std::function<void(rocksdb::DB&, rocksdb::ColumnFamilyHandle*)>& use) {
  with_database(path, [&](rocksdb::DB& database, const Handles& handles) {
    const auto found = std::find_if(handles.begin(), handles.end(),
                                    [&](auto* handle) { return handle->GetName() == name; });
    ASSERT_NE(found, handles.end());
    use(database, *found);
  });
}

}  // namespace neardup::testing
