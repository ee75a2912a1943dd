// The memtable written as a generation.
#include <gmock/gmock.h>

#include "tests/unit/storage/index/index_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

constexpr Seq kFirst = 5000;

class FlushTest : public IndexStateTest {
 protected:
  FlushTest() {
    for (Seq i = 0; i < 600; ++i) {
      indexes_.push_back({{key(i % 3), key(i % 100)}, {}});
    }
    for (Seq i = 0; i < 600; ++i) {
      const bool document = i % 5 != 0;
      entries_.push_back({kFirst + 2 * i, i << 20});
      if (!document) continue;
      entries_.back().content = hash_of(Bucket{kContentBand, key(i)});
      entries_.back().index = &indexes_[i];
    }
    memtable_.add(entries_);
  }

  static std::uint64_t key(std::uint64_t n) { return n * 0x9e3779b97f4a7c15; }

  std::vector<Seq> find_recent(const Probe& probe, const SeqSet& deleted) {
    std::vector<Seq> found;
    memtable_.find(probe, deleted, [&](Seq seq) {
      found.push_back(seq);
      return true;
    });
    return found;
  }

  Generation flush(const SeqSet& deleted) {
    Manifest like;
    like.generation = 12;
    like.epoch = 2;
    SstFiles files(state_, Family::kIndex, "index-12");
    Generation made = write_flush(memtable_, like, 16, deleted, files, [] {});
    ingest(state_, {&files});
    return made;
  }

  std::vector<IndexEntry> indexes_;
  std::vector<MemtableEntry> entries_;
  Memtable memtable_;
};

TEST_F(FlushTest, FindsWhatTheRecentPartFoundButNothingThatIsGone) {
  SeqSet deleted;
  for (Seq i = 0; i < 600; i += 7) deleted.insert(kFirst + 2 * i);
  const Generation made = flush(deleted);
  std::vector<Probe> probes;
  for (const MemtableEntry& entry : entries_) {
    probes.push_back({kIdColumn, entry.id});
    if (!entry.content) continue;
    probes.push_back({kContentColumn, *entry.content});
    for (std::uint16_t m = 0; m < 2; ++m) {
      probes.push_back({kFirstBandColumn + m, hash_of(Bucket{m, entry.index->buckets[m]})});
    }
  }
  for (const Probe& probe : probes) {
    const auto wanted = find_recent(probe, deleted);
    ASSERT_EQ(find(made.manifest, probe), wanted) << probe.column << " " << probe.hash;
    ASSERT_TRUE(wanted.empty() || made.may_contain(probe));
  }
}

TEST_F(FlushTest, TheManifestSaysWhatWasWritten) {
  SeqSet deleted;
  deleted.insert(kFirst + 2);  // with a document
  const Generation made = flush(deleted);
  EXPECT_THAT(read_manifests(state_), ElementsAre(made.manifest));
  EXPECT_EQ(made.manifest.first, kFirst);
  EXPECT_EQ(made.manifest.end, kFirst + 2 * 599 + 1);
  EXPECT_EQ(made.manifest.ids, 600);
  EXPECT_EQ(made.manifest.level, 0);
  EXPECT_EQ(made.manifest.epoch, 2);
  std::vector<std::uint64_t> postings;
  for (const ColumnSize& column : made.manifest.columns) postings.push_back(column.postings);
  EXPECT_THAT(postings, ElementsAre(479, 599, 479, 479));
  EXPECT_GT(made.filter_bytes(), 0);
}

}  // namespace
}  // namespace neardup::TEST_FILE
