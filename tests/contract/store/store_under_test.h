// What every test of the store contract needs: a store of a kind in a separate directory,
// documents whose sketch says which buckets they are in, and short forms of the calls.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "storage/store.h"
#include "storage/stores.h"
#include "tests/scratch_directory.h"

namespace neardup::testing {

// A small budget, so that tests see flushes and compactions too.
inline StorageOptions rocksdb_test_options(const std::string& path) {
  StorageOptions options;
  options.path = path;
  options.memory = std::uint64_t{8} << 20;
  options.keep_texts = KeepTexts::kKept;
  options.threads = 3;
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

// The key of a bucket that tests call `n`. Keys are hashes: spread out. Those of 2n and 2n + 1
// differ in their lowest bit only.
inline std::uint64_t key_of(std::uint64_t n) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  return ((n / 2 + 1) * kOdd << 1) | n % 2;
}
inline Bucket bucket(std::uint16_t band, std::uint64_t n) { return {band, key_of(n)}; }

// Word m of a sketch is what tests call the bucket of band m.
inline IndexEntry index_of(const DocumentRow& row) {
  IndexEntry index;
  for (const std::uint64_t n : row.sketch) index.buckets.push_back(key_of(n));
  if (!row.sketch.empty()) index.one_bit = {row.seq, ~row.sketch[0]};
  return index;
}

inline bool is_in(const DocumentRow& row, const Bucket& bucket) {
  if (bucket.band == kContentBand) return content_bucket(row.content, row.name_space) == bucket;
  const IndexEntry index = index_of(row);
  return bucket.band < index.buckets.size() && index.buckets[bucket.band] == bucket.key;
}

inline std::unique_ptr<Store> open_indexed(const StorageOptions& options,
                                           OpenMode mode = OpenMode::kReadWrite) {
  auto store = open_store(options, mode);
  store->set_index(index_of);
  return store;
}

// In buckets of its own, or in bucket buckets[m] of band m.
inline DocumentRow document(Seq seq, std::vector<std::uint64_t> buckets = {}) {
  DocumentRow row;
  row.seq = seq;
  row.id = "document " + std::to_string(seq);
  row.name_space = "space";
  row.time_ms = -static_cast<std::int64_t>(seq);
  row.content = {key_of(1'000'000 + 2 * seq), seq * 5};
  row.tokens = 7;
  row.distinct_shingles = 300;
  row.text_bytes = 70'000;
  row.sketch = buckets.empty() ? std::vector{seq + 1'000'000, seq + 2'000'000} : std::move(buckets);
  return row;
}

inline IdKey id_key_of(const DocumentRow& row) { return {row.name_space, row.id}; }
// Of a kept document.
inline IdRow id_row_of(const DocumentRow& row) {
  return {.seq = row.seq, .time_ms = row.time_ms, .content = row.content};
}

// A kept document and its id. `text` must live until the commit.
inline void put(WriteSet& writes, DocumentRow row, std::string_view text = {}) {
  writes.ids.emplace_back(id_key_of(row), id_row_of(row));
  IndexEntry index = index_of(row);
  writes.documents.push_back({std::move(row), text, std::move(index)});
}
inline void erase(WriteSet& writes, const DocumentRow& row) {
  writes.erase_documents.push_back(row.seq);
  writes.erase_ids.emplace_back(id_key_of(row), id_row_of(row));
}

inline void put_all(Store& store, const std::vector<DocumentRow>& rows) {
  WriteSet writes;
  for (const DocumentRow& row : rows) put(writes, row);
  store.commit(writes);
}
inline void erase_all(Store& store, const std::vector<DocumentRow>& rows) {
  WriteSet writes;
  for (const DocumentRow& row : rows) erase(writes, row);
  store.commit(writes);
}

inline bool same(const DocumentRow& a, const DocumentRow& b) {
  const auto tied = [](const DocumentRow& row) {
    return std::tie(row.seq, row.id, row.name_space, row.time_ms, row.content, row.tokens,
                    row.distinct_shingles, row.text_bytes, row.sketch);
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

struct Hints {
  std::vector<Seq> seqs;
  bool more = false;
};

inline Hints hints_of(Store& store, const Bucket& bucket, Seq after = 0, std::size_t limit = 100) {
  PostingLists lists;
  store.postings({&bucket, 1}, after, limit, lists);
  const auto seqs = lists.seqs(0);
  return {{seqs.begin(), seqs.end()}, lists.more(0)};
}

inline std::optional<DocumentRow> document_of(Store& store, Seq seq) {
  std::vector<std::optional<DocumentRow>> rows;
  store.documents({&seq, 1}, rows);
  return rows.at(0);
}

// The live documents of a bucket, as a caller finds them that is given `limit` hints at a time.
inline std::vector<Seq> members(Store& store, const Bucket& bucket, std::size_t limit = 100) {
  std::vector<Seq> found;
  Hints hints{{0}, true};
  while (hints.more) {
    hints = hints_of(store, bucket, hints.seqs.back(), limit);
    for (const Seq seq : hints.seqs) {
      const auto row = document_of(store, seq);
      if (row && is_in(*row, bucket)) found.push_back(seq);
    }
    if (hints.seqs.empty()) break;
  }
  return found;
}

inline std::optional<IdRow> id_of(Store& store, const IdKey& key) {
  std::vector<std::optional<IdRow>> rows;
  store.ids({&key, 1}, rows);
  return rows.at(0);
}

inline std::vector<Seq> seqs_of(const std::vector<std::pair<IdKey, IdRow>>& ids) {
  std::vector<Seq> seqs;
  for (const auto& [key, row] : ids) seqs.push_back(row.seq);
  return seqs;
}

struct StoredSketch {
  NamespaceTag tag = 0;
  std::vector<std::uint64_t> one_bit;
  bool operator==(const StoredSketch&) const = default;
};
using Sketches = std::map<Seq, StoredSketch>;

// The sketches of the documents in [from, to).
inline Sketches sketches_of(const SketchView& view, Seq from = 0, Seq to = kMaxSeq) {
  Sketches found;
  Seq next = from;
  view.visit(from, to, [&](const SketchBlock& block) {
    EXPECT_GE(block.first, next) << "blocks are ascending";
    next = block.first + block.count;
    EXPECT_LE(next, std::min(to, view.end()));
    for (std::uint32_t i = 0; i < block.count; ++i) {
      if (block.tags[i] == 0) continue;
      const std::uint64_t* words = block.words + std::size_t{i} * block.words_each;
      found[block.first + i] = {block.tags[i], {words, words + block.words_each}};
    }
    return true;
  });
  return found;
}

inline std::vector<Age> ages_of(Store& store, Seq from = 0, std::size_t limit = 100) {
  std::vector<Age> ages = {{77, 77, 77}};
  store.ages(from, limit, ages);
  return ages;
}

}  // namespace neardup::testing
