// Damage ends as a failure of the disk that names the state, wherever it is met, and the table that
// is damaged; no posting is lost without a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "rocksdb_open.h"
#include "storage/generation/generation.h"
#include "storage/rocksdb/state.h"

namespace neardup::testing::TEST_FILE {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Seq kDocuments = 3000;  // all in one bucket of the first band

class RocksdbDamage : public RocksdbOpen {
 protected:
  RocksdbDamage() {
    options_.memory = std::uint64_t{1} << 20;
    make_state(options_, kDocuments);
  }

  static void make_state(const StorageOptions& options, Seq end) {
    const auto store = open_indexed(options, OpenMode::kReadWrite);
    put_some(*store, 1, end);
    store->compact();
  }

  // The tables of a state, the smallest first.
  static std::vector<fs::path> tables_of(const std::string& state) {
    std::vector<fs::path> tables;
    for (const auto& entry : fs::directory_iterator(state)) {
      if (entry.path().extension() == ".sst") tables.push_back(entry.path());
    }
    std::sort(tables.begin(), tables.end(), [](const fs::path& a, const fs::path& b) {
      return std::pair(fs::file_size(a), a) < std::pair(fs::file_size(b), b);
    });
    return tables;
  }

  static void put_some(Store& store, Seq first, Seq end) {
    WriteSet writes;
    for (Seq seq = first; seq < end; ++seq) put(writes, document(seq, {7, seq}));
    store.commit(writes);
  }

  // Removes what has this key, or cuts its last byte off.
  enum class How { kCut, kRemove };
  void damage(How how, const std::function<std::string(const Manifest&)>& key_in) {
    const RocksdbState state(options_, OpenMode::kReadWrite);
    rocksdb::ColumnFamilyHandle* const index = state.family(Family::kIndex);
    const std::string key = key_in(read_manifests(state).at(0));
    std::string value;
    ASSERT_TRUE(state.db().Get({}, index, rocksdb::Slice(key), &value).ok());
    value.pop_back();
    ASSERT_TRUE((how == How::kCut ? state.db().Put({}, index, rocksdb::Slice(key), value)
                                  : state.db().Delete({}, index, rocksdb::Slice(key)))
                    .ok());
  }

  static std::string page_key(const Manifest& manifest) {
    return encode_page_key(manifest.generation, kFirstBandColumn,
                           prefix_of(hash_of(bucket(0, 7)), manifest.prefix_bits));
  }
  static std::string list_key(const Manifest& manifest) {
    return encode_list_key(page_key(manifest), hash_of(bucket(0, 7)), kListChunk);
  }

  template <class Call>
  void expect_failure(Call call) {
    try {
      call();
      ADD_FAILURE() << "went well";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kIo);
      EXPECT_THAT(failure.what(), AllOf(HasSubstr(options_.path), HasSubstr("damaged")));
    }
  }
};

// RocksDB names the manifest where the other table is longer, and a number where it is as long.
TEST_F(RocksdbDamage, OfATableThatIsSwappedNamesIt) {
  const auto tables = tables_of(options_.path);
  for (const Seq end : {kDocuments, 4 * kDocuments}) {
    StorageOptions other = options_;
    other.path = scratch_.file(std::to_string(end));
    make_state(other, end);
    const auto others = tables_of(other.path);
    ASSERT_GE(others.size(), tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i) {
      fs::rename(tables[i], scratch_.file("kept"));
      fs::copy_file(end == kDocuments ? others[i] : others.back(), tables[i]);
      const std::string name = tables[i].filename();
      EXPECT_THAT(refusal(Exit::kIo), HasSubstr(name));
      EXPECT_THAT(refusal(Exit::kIo, OpenMode::kReadOnly), HasSubstr(name));
      fs::rename(scratch_.file("kept"), tables[i]);
    }
  }
  open();
}

TEST_F(RocksdbDamage, OfAManifestIsToldWhenTheStateIsOpened) {
  damage(How::kCut, [](const Manifest& of) { return encode_manifest_key(of.generation); });
  EXPECT_THAT(refusal(Exit::kIo), AllOf(HasSubstr("damaged"), HasSubstr(options_.path)));
  EXPECT_THAT(refusal(Exit::kIo, OpenMode::kReadOnly), HasSubstr("damaged"));
}

TEST_F(RocksdbDamage, OfAFilterIsToldWhenTheStateIsOpened) {
  damage(How::kCut, [](const Manifest& of) { return encode_filter_key(of.generation, 0, 0); });
  EXPECT_THAT(refusal(Exit::kIo), AllOf(HasSubstr("damaged"), HasSubstr(options_.path)));
}

TEST_F(RocksdbDamage, OfAPageIsToldWhenItIsReadOrMerged) {
  damage(How::kCut, page_key);
  const auto store = open();
  expect_failure([&] { hints_of(*store, bucket(0, 7)); });
  EXPECT_THAT(hints_of(*store, bucket(1, 8)).seqs, ::testing::ElementsAre(8, 9));
  expect_failure([&] { store->compact(); });
}

TEST_F(RocksdbDamage, WhatIsMissingIsToldByAMergeAndByAllThatComesLater) {
  damage(How::kRemove, list_key);
  const auto store = open();
  expect_failure([&] { store->compact(); });
  expect_failure([&] { hints_of(*store, bucket(1, 8)); });
  expect_failure([&] { put_some(*store, kDocuments, kDocuments + 1); });
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
