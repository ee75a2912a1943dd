// What other threads read while the owner of a store commits.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store_under_test.h"

namespace neardup::testing::TEST_FILE {
namespace {

constexpr Seq kIds = 20;
constexpr Seq kVersions = 100;  // of each

class StoreBeside : public ::testing::TestWithParam<StoreKind> {
 protected:
  static DocumentRow version(Seq seq) {
    DocumentRow row = document(seq);
    row.id = "id " + std::to_string(seq % kIds);
    return row;
  }

  ScratchDirectory scratch_;
  StorageOptions options_ = options_of(GetParam(), scratch_);
  std::unique_ptr<Store> store_ = open_indexed(options_);
};

INSTANTIATE_TEST_SUITE_P(All, StoreBeside, ::testing::ValuesIn(kStoreKinds),
                         [](const auto& kind) { return kind.param.name; });

// Each id always has one version, and never an older one than before.
TEST_P(StoreBeside, AnIdThatChangesAllTheTimeIsAlwaysFound) {
  for (Seq seq = 1; seq <= kIds; ++seq) put_all(*store_, {version(seq)});
  store_->sketches();
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    std::vector<Seq> seen(kIds);
    while (!stop) {
      for (Seq i = 0; i < kIds; ++i) {
        const auto row = store_->find_id({"space", "id " + std::to_string(i)});
        ASSERT_TRUE(row.has_value());
        ASSERT_GE(row->seq, seen[i]);
        ASSERT_EQ(row->seq % kIds, i);
        seen[i] = row->seq;
        ASSERT_FALSE(store_->find_id({"other", "id " + std::to_string(i)}).has_value());
      }
    }
  });
  for (Seq seq = kIds + 1; seq <= kIds * kVersions; ++seq) {
    WriteSet writes;
    erase(writes, version(seq - kIds));
    put(writes, version(seq));
    store_->commit(writes);
  }
  stop = true;
  reader.join();
}

// Its row and the row that says so are written by one commit.
TEST_P(StoreBeside, AFlaggedDocumentIsNeverFoundAsKept) {
  constexpr Seq kDocuments = 1500;
  const auto id_of = [](Seq seq) { return "new " + std::to_string(seq); };
  store_->sketches();
  std::atomic<Seq> last{1};
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) {
      const auto row = store_->find_id({"space", id_of(last)});
      ASSERT_TRUE(!row || !row->kept);
    }
  });
  for (Seq seq = 1; seq <= kDocuments; ++seq) {
    DocumentRow row = document(seq);
    row.id = id_of(seq);
    WriteSet writes;
    put(writes, row);
    writes.ids.back().second.kept = false;
    last = seq;
    store_->commit(writes);
  }
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
