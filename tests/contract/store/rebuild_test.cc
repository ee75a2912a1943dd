// The index made again for other bands: all or nothing, resumed where it was cut off, and the state
// as good as before until then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <thread>

#include "rocksdb_open.h"
#include "storage/stores.h"

namespace neardup::testing::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Seq kMany = 20'000;  // several generations of a rebuild
constexpr std::uint64_t kApart = 1'000'000;
const std::vector<std::pair<std::string, std::string>> kMeta = {{"rule", "new"}, {"sum", ""}};

// Three bands instead of two, in other buckets.
IndexEntry new_index_of(const DocumentRow& row) {
  IndexEntry index = index_of(row);
  if (row.sketch.empty()) return index;
  for (std::size_t m = 0; m < row.sketch.size(); ++m)
    index.buckets[m] = key_of(row.sketch[m] + kApart);
  index.buckets.push_back(key_of(row.sketch[0] % 2));
  return index;
}

struct CutOff {};

class Rebuild : public RocksdbOpen {
 protected:
  Rebuild() { options_.memory = std::uint64_t{1} << 20; }

  // How many documents were indexed. Stops once that seq is reached.
  std::uint64_t rebuild(Seq stop_at = kMaxSeq + 1, const std::string& rule = "new") {
    auto meta = kMeta;
    meta[0].second = rule;
    std::uint64_t indexed = 0;
    const auto make = [&](const DocumentRow& row) {
      ++indexed;
      return new_index_of(row);
    };
    const auto progress = [&](Seq seq) {
      if (seq >= stop_at) throw CutOff();
    };
    const auto store = open_store(options_, OpenMode::kReadWrite);
    try {
      store->rebuild_index(make, meta, progress);
    } catch (const CutOff&) {
    }
    return indexed;
  }

  std::unique_ptr<Store> open_new(OpenMode mode = OpenMode::kReadWrite) {
    auto store = open_store(options_, mode);
    store->set_index(new_index_of);
    return store;
  }

  static DocumentRow row_of(Seq seq) { return document(seq, {seq / 2, seq % 100}); }

  static void put_rows(Store& store, Seq first, Seq end, const MakeIndexEntry& make = index_of) {
    WriteSet writes;
    for (Seq seq = first; seq < end; ++seq) {
      put(writes, row_of(seq));
      writes.documents.back().index = make(row_of(seq));
    }
    store.commit(writes);
  }
  void make_state(Seq documents) {
    const auto store = open();
    WriteSet before;
    before.meta = {{"rule", "old"}, {"sum", "7"}};
    store->commit(before);
    for (Seq first = 1; first <= documents; first += 1000)
      put_rows(*store, first, std::min(first + 1000, documents + 1));
  }

  // Documents 1 … last, all or those for which there.
  template <class There>
  void expect_found(Store& store, Seq last, std::uint64_t apart, There there) {
    for (Seq seq = 1; seq <= last; seq += 7) {
      std::vector<Seq> pair;
      for (const Seq one : {seq / 2 * 2, seq / 2 * 2 + 1}) {
        if (one > 0 && one <= last && there(one)) pair.push_back(one);
      }
      std::vector<Seq> found;
      for (const Seq hint : hints_of(store, bucket(0, seq / 2 + apart)).seqs) {
        const auto row = document_of(store, hint);
        if (row && row->sketch[0] == seq / 2) found.push_back(hint);
      }
      ASSERT_EQ(found, pair) << seq;
      ASSERT_EQ(id_of(store, id_key_of(row_of(seq))).has_value(), there(seq)) << seq;
      if (const std::uint64_t* bits = store.one_bit(seq)) {
        ASSERT_EQ(std::vector(bits, bits + 2), index_of(row_of(seq)).one_bit) << seq;
      }
    }
  }
  void expect_found(Store& store, Seq last, std::uint64_t apart) {
    expect_found(store, last, apart, [](Seq) { return true; });
  }

  void expect_old(Seq last) {
    const auto store = open();
    EXPECT_EQ(store->meta("rule"), "old");
    EXPECT_EQ(store->meta("sum"), "7");
    expect_found(*store, last, 0);
  }
  void expect_new(Seq last) {
    const auto store = open_new();
    EXPECT_EQ(store->meta("rule"), "new");
    EXPECT_EQ(store->meta("sum"), std::nullopt);
    expect_found(*store, last, kApart);
    EXPECT_GT(hints_of(*store, bucket(2, 1), 0, kMany).seqs.size(), last / 3);
  }
};

TEST_F(Rebuild, DocumentsAreInTheirNewBucketsOnly) {
  open()->commit(some_of_everything());
  rebuild();
  for (const OpenMode mode : {OpenMode::kReadWrite, OpenMode::kReadOnly}) {
    const auto store = open_new(mode);
    EXPECT_THAT(hints_of(*store, bucket(0, 7 + kApart)).seqs, ElementsAre(1, 2));
    EXPECT_THAT(hints_of(*store, bucket(2, 1)).seqs, IsEmpty());  // one word of a sketch: two bands
    EXPECT_THAT(hints_of(*store, bucket(1, 1)).seqs, ElementsAre(1, 2));
    EXPECT_THAT(hints_of(*store, bucket(0, 7)).seqs, IsEmpty());
    EXPECT_THAT(members(*store, content_bucket(document(1).content, "space")), ElementsAre(1));
    EXPECT_EQ(id_of(*store, id_key_of(document(1))).value_or(IdRow{}).seq, 1);
    EXPECT_EQ(id_of(*store, {"space", "flagged"}).value_or(IdRow{}).seq, 3);
    EXPECT_EQ(store->text(1), "text");
    EXPECT_EQ(store->meta("position"), "17");
  }
}

TEST_F(Rebuild, AnEmptyStateGetsItsMeta) {
  open();
  rebuild();
  EXPECT_EQ(open_new()->meta("rule"), "new");
}

TEST_F(Rebuild, ManyDocumentsAndThoseThatComeLater) {
  make_state(kMany);
  EXPECT_EQ(rebuild(), kMany);
  expect_new(kMany);
  {
    const auto store = open_new();
    put_rows(*store, kMany + 1, kMany + 5000, new_index_of);
    expect_found(*store, kMany + 4999, kApart);
  }
  expect_new(kMany + 4999);
  open_new()->compact();
  expect_new(kMany + 4999);
}

TEST_F(Rebuild, TheNextOneMayComeAtOnce) {
  make_state(kMany);
  rebuild();
  rebuild(kMaxSeq + 1, "newer");
  EXPECT_EQ(open_new()->meta("rule"), "newer");
  EXPECT_EQ(rebuild(), kMany);
  expect_new(kMany);
}

TEST_F(Rebuild, OneThatIsCutOffLeavesTheStateAsItWas) {
  make_state(kMany);
  rebuild(kMany / 2);
  expect_old(kMany);
}

TEST_F(Rebuild, TheNextOneGoesOn) {
  make_state(kMany);
  rebuild(kMany / 2);
  const std::uint64_t indexed = rebuild();
  EXPECT_LT(indexed, kMany * 3 / 4);
  EXPECT_GT(indexed, kMany / 4);
  expect_new(kMany);
}

TEST_F(Rebuild, TheNextOneOfAnotherPurposeBeginsAnew) {
  make_state(kMany);
  rebuild(kMany / 2, "other");
  EXPECT_EQ(rebuild(), kMany);
  expect_new(kMany);
}

TEST_F(Rebuild, WhatChangesBetweenTwoAttemptsCounts) {
  make_state(kMany);
  rebuild(kMany / 2);
  const auto there = [](Seq seq) { return seq % 3 != 0 || seq > kMany; };
  {
    const auto store = open();
    std::vector<DocumentRow> gone;
    for (Seq seq = 3; seq <= kMany; seq += 3) gone.push_back(row_of(seq));
    erase_all(*store, gone);
    put_rows(*store, kMany + 1, kMany + 9000);
    expect_found(*store, kMany + 8999, 0, there);
  }
  expect_found(*open(), kMany + 8999, 0, there);
  EXPECT_LT(rebuild(), kMany);
  expect_found(*open_new(), kMany + 8999, kApart, there);
}

TEST_F(Rebuild, CompactingDropsWhatOneThatWasCutOffHasLeft) {
  make_state(kMany);
  rebuild(kMany / 2);
  open()->compact();
  EXPECT_EQ(rebuild(), kMany);
  expect_new(kMany);
}

TEST_F(Rebuild, SeqsMayBeFarApart) {
  constexpr Seq kFar = Seq{1} << 36;
  put_all(*open(), {document(1, {7}), document(kFar, {7})});
  rebuild();
  EXPECT_THAT(members(*open_new(), content_bucket(document(kFar).content, "space")),
              ElementsAre(kFar));
  EXPECT_THAT(hints_of(*open_new(), bucket(0, 7 + kApart)).seqs, ElementsAre(1, kFar));
}

TEST_F(Rebuild, PackedSketchesOfDocumentsThatWereNotFlushedStayRight) {
  options_.memory = std::uint64_t{64} << 20;
  make_state(2000);
  open()->compact();  // flushes
  put_rows(*open(), 2001, 2500);
  rebuild();
  put_rows(*open_new(), 2500, 3000, new_index_of);
  const auto store = open_new();
  store->size();  // reads what is not flushed
  for (Seq seq = 1; seq < 3000; ++seq) {
    const std::uint64_t* bits = store->one_bit(seq);
    ASSERT_NE(bits, nullptr) << seq;
    ASSERT_EQ(std::vector(bits, bits + 2), index_of(row_of(seq)).one_bit) << seq;
  }
}

TEST_F(Rebuild, AMemoryStoreHasNone) {
  options_.store = StoreName::kMemory;
  const auto store = open();
  try {
    store->rebuild_index(new_index_of, kMeta, [](Seq) {});
    FAIL() << "was rebuilt";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::kConfig);
  }
}

TEST_F(Rebuild, KilledAtAnyMomentItIsWholeOrNotThere) {
  make_state(kMany);
  const auto begin = std::chrono::steady_clock::now();
  rebuild(kMaxSeq + 1, "measured");
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  {
    const auto store = open_store(options_, OpenMode::kReadWrite);
    store->rebuild_index(index_of, {{"rule", "old"}, {"sum", "7"}}, [](Seq) {});
  }
  std::mt19937_64 random(5);
  std::uint64_t kills = 0;
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      rebuild();
      _exit(0);
    }
    std::this_thread::sleep_for(whole * (static_cast<double>(random() % 1000) / 2000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (open_store(options_, OpenMode::kReadOnly)->meta("rule") == "new") break;
    ++kills;
    if (round % 4 == 0) expect_old(kMany);
  }
  EXPECT_GT(kills, 0);
  rebuild();
  expect_new(kMany);
}

}  // namespace
}  // namespace neardup::testing::TEST_FILE
