#include "service/search/index_keeper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>

#include "storage/stores.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::chrono::milliseconds kOften(1);
constexpr std::uint32_t kLeast = 50;

class IndexKeeperTest : public testing::Test {
 protected:
  IndexKeeperTest() {
    StorageOptions options;
    options.path = scratch_.file("state");
    options.temporary = true;
    options.memory = 64 << 20;
    store_ = open_store(options, OpenMode::kReadWrite);
    store_->set_index([](const DocumentRow& row) {
      return IndexEntry{{row.sketch[0]}, {row.sketch[0]}};
    });
  }

  void add(int count) {
    WriteSet writes;
    for (int i = 0; i < count; ++i) {
      DocumentPut put;
      put.row.seq = ++seq_;
      put.row.id = std::to_string(seq_);
      put.row.sketch = {seq_};
      put.index = {{seq_}, {seq_}};
      writes.ids.emplace_back(IdKey{"", put.row.id}, IdRow{.seq = seq_});
      writes.documents.push_back(std::move(put));
    }
    store_->commit(writes);
  }

  std::shared_ptr<KeywordIndex> open_index() {
    KeywordIndexOptions options;
    options.directory = scratch_.file("similar");
    options.kind.keywords = 1;
    options.least_documents = kLeast;
    options.most_documents = 8 * kLeast;
    return std::make_shared<KeywordIndex>(options, [](const DocumentRow& row, std::uint16_t* out) {
      *out = static_cast<std::uint16_t>(row.sketch[0]);
    });
  }

  static std::uint64_t documents(const KeywordIndex& index) {
    const KeywordParts parts = index.parts();
    std::uint64_t count = parts.tail.size();
    for (const auto& segment : parts.segments) count += segment->documents();
    return count;
  }

  static bool soon(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(kOften);
    }
    return condition();
  }

  ScratchDirectory scratch_;
  std::unique_ptr<Store> store_;
  Seq seq_ = 0;
};

TEST_F(IndexKeeperTest, FollowsCommitsBesideOtherSearches) {
  const auto index = open_index();
  const IndexKeeper keeper(
      *store_, index, [](const auto& error) { FAIL() << error; }, kOften);
  std::atomic<bool> ended{false};
  std::thread searching([&] {
    while (!ended) {
      const auto view = store_->sketches();
      index->follow(*view);
      EXPECT_GE(index->parts().end, view->end());
    }
  });
  for (int i = 0; i < 200; ++i) add(7);
  ended = true;
  searching.join();
  EXPECT_TRUE(soon([&] { return documents(*index) == 1'400; })) << documents(*index);
  // Merged: fewer than the 28 that were made.
  EXPECT_TRUE(soon([&] { return index->parts().segments.size() < 10; }));
}

TEST_F(IndexKeeperTest, AnErrorIsToldAndMendedLater) {
  const auto index = open_index();
  std::atomic<int> errors{0};
  std::filesystem::remove_all(scratch_.file("similar"));
  scratch_.write("similar", "in the way");
  const IndexKeeper keeper(
      *store_, index, [&](const auto&) { ++errors; }, kOften);
  add(kLeast);
  ASSERT_TRUE(soon([&] { return errors > 0; }));
  std::filesystem::remove(scratch_.file("similar"));
  std::filesystem::create_directory(scratch_.file("similar"));
  EXPECT_TRUE(soon([&] { return index->parts().segments.size() == 1; }));
}

}  // namespace
}  // namespace neardup::TEST_FILE
