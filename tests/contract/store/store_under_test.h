// What every test of the store contract needs: an empty store of a kind, made in a directory of its
// own.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "storage/store.h"
#include "tests/scratch_directory.h"

namespace neardup::testing {

// A small budget, so that tests see flushes and compactions too.
inline StorageOptions rocksdb_test_options(const std::string& path) {
  StorageOptions options;
  options.path = path;
  options.memory = std::uint64_t{8} << 20;
  options.keep_texts = true;
  return options;
}

struct StoreKind {
  const char* name;
  StoreName store;
  bool temporary;
};
inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

// Every store that the contract holds for.
inline constexpr StoreKind kStoreKinds[] = {
    {"Memory", StoreName::kMemory, true},
    {"Rocksdb", StoreName::kRocksdb, false},
    {"RocksdbTemporary", StoreName::kRocksdb, true},
};

inline StorageOptions options_of(const StoreKind& kind, const ScratchDirectory& scratch) {
  StorageOptions options = rocksdb_test_options(scratch.file("state"));
  options.store = kind.store;
  options.temporary = kind.temporary;
  return options;
}

inline DocumentRow document(Seq seq, const std::string& id = "id") {
  DocumentRow row;
  row.seq = seq;
  row.id = id;
  row.name_space = "space";
  row.time_ms = -static_cast<std::int64_t>(seq);
  row.content = {seq * 3, seq * 5};
  row.tokens = 7;
  row.distinct_shingles = 300;
  row.text_bytes = 70'000;
  row.sketch = {seq, ~seq};
  row.one_bit = {seq ^ 0xff};
  return row;
}

inline bool same(const DocumentRow& a, const DocumentRow& b) {
  const auto tied = [](const DocumentRow& row) {
    return std::tie(row.seq, row.id, row.name_space, row.time_ms, row.content, row.tokens,
                    row.distinct_shingles, row.text_bytes, row.sketch, row.one_bit);
  };
  return tied(a) == tied(b);
}

inline bool same(const IdRow& a, const IdRow& b) {
  const auto tied = [](const IdRow& row) {
    return std::tie(row.seq, row.time_ms, row.content, row.kept, row.has_document, row.original,
                    row.similarity);
  };
  return tied(a) == tied(b);
}

inline PostingList postings_of(Store& store, const Bucket& bucket, Seq after = 0,
                               std::size_t limit = 100) {
  std::vector<PostingList> lists;
  store.postings({&bucket, 1}, after, limit, lists);
  return lists.at(0);
}

inline std::optional<DocumentRow> document_of(Store& store, Seq seq) {
  std::vector<std::optional<DocumentRow>> rows;
  store.documents({&seq, 1}, rows);
  return rows.at(0);
}

inline std::optional<IdRow> id_of(Store& store, const IdKey& key) {
  std::vector<std::optional<IdRow>> rows;
  store.ids({&key, 1}, rows);
  return rows.at(0);
}

}  // namespace neardup::testing
