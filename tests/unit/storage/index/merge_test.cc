// Generations made of others.
#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <random>
#include <span>

#include "tests/unit/storage/index/index_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr Seq kFirst = 5000;
constexpr Seq kEach = 1000;  // seqs of a generation
constexpr std::size_t kColumns = 3;
constexpr Hash40 kHot = 0x1234567890;  // in every generation, a long list in the end only
constexpr auto kGoOn = [] { return true; };
constexpr Hash40 kBurst = 0xfedcba9876;  // a long list of one generation

class MergeTest : public IndexStateTest {
 protected:
  // Seqs [first, first + kEach), each in one bucket of each column.
  static std::vector<Postings> some_postings(Seq first) {
    std::mt19937_64 random(first);
    std::vector<Postings> columns(kColumns);
    for (Postings& postings : columns) {
      for (Seq seq = first; seq < first + kEach; ++seq) {
        const bool hot = seq % 50 == 0;
        const bool burst = first == kFirst + 2 * kEach && seq % 4 == 1;
        const Hash40 any = (random() % 500) << 31;
        postings[hot ? kHot : burst ? kBurst : any].push_back(seq);
      }
    }
    return columns;
  }

  Manifest like(Seq first, Seq end, unsigned prefix_bits) {
    Manifest manifest;
    manifest.generation = next_++;
    manifest.epoch = 4;
    manifest.purpose = 9;
    manifest.first = first;
    manifest.end = end;
    manifest.ids = end - first;
    manifest.prefix_bits = prefix_bits;
    return manifest;
  }

  // Eight neighbours with pages of other widths.
  std::vector<Manifest> write_sources() {
    std::vector<Manifest> sources;
    for (Seq i = 0; i < 8; ++i) {
      const Seq first = kFirst + i * kEach;
      sources.push_back(write(some_postings(first), like(first, first + kEach, 8 + i % 4)));
    }
    sources[3].level = 2;
    return sources;
  }

  // Those of all sources for which lives(seq).
  template <class Lives>
  static std::vector<Postings> expected(Lives lives) {
    std::vector<Postings> all(kColumns);
    for (Seq i = 0; i < 8; ++i) {
      const auto columns = some_postings(kFirst + i * kEach);
      for (std::size_t column = 0; column < kColumns; ++column) {
        for (const auto& [hash, seqs] : columns[column]) {
          for (const Seq seq : seqs) {
            if (lives(seq)) all[column][hash].push_back(seq);
          }
        }
      }
    }
    return all;
  }

  Manifest merge(const std::vector<Manifest>& sources, Seq expired_before = 0,
                 SeqSet deleted = {}) {
    Merge merge(state_, sources, next_++, 16, expired_before, std::move(deleted));
    const std::size_t columns = complete(merge);
    EXPECT_EQ(columns, merge.result().columns.size());
    return merge.result();
  }

  // Takes the rest of a merge into the state. How many columns that was.
  std::size_t complete(Merge& merge) {
    std::size_t columns = 0;
    while (merge.step(kGoOn) == MergeStep::kColumn) ++columns;
    ingest(state_, {&merge.files()});
    return columns;
  }

  bool has_unfinished_files() {
    const std::filesystem::directory_iterator files(state_.path());
    return std::any_of(begin(files), end(files),
                       [](const auto& file) { return file.path().extension() == ".unfinished"; });
  }

  // A merge that stops in the middle of its second column, with the first one saved.
  void merge_one_column(const std::vector<Manifest>& sources, Seq expired_before, SeqSet deleted) {
    Merge merge(state_, sources, next_++, 16, expired_before, std::move(deleted));
    ASSERT_EQ(merge.step(kGoOn), MergeStep::kColumn);
    merge.save();
    int more = 100;
    ASSERT_EQ(merge.step([&] { return --more > 0; }), MergeStep::kStopped);
  }

  void expect_holds(const Manifest& generation, const std::vector<Postings>& columns) {
    ASSERT_EQ(generation.columns.size(), columns.size());
    const auto filters = read_filters(state_, generation, 0, columns.size());
    for (std::size_t column = 0; column < columns.size(); ++column) {
      ASSERT_EQ(stream(generation, column, 256), columns[column]) << column;
      std::uint64_t postings = 0;
      for (const auto& [hash, seqs] : columns[column]) {
        ASSERT_TRUE(filters[column].may_contain(hash));
        ASSERT_EQ(find(generation, {column, hash}), seqs) << hash;
        postings += seqs.size();
      }
      ASSERT_EQ(generation.columns[column].postings, postings);
    }
  }

  bool has_list(const Manifest& generation, Hash40 hash, std::uint32_t first) {
    const auto page =
        encode_page_key(generation.generation, 0, prefix_of(hash, generation.prefix_bits));
    std::string value;
    return state_.db()
        .Get({}, state_.family(Family::kIndex), rocksdb::Slice(encode_list_key(page, hash, first)),
             &value)
        .ok();
  }

  std::uint32_t next_ = 1;
};

TEST_F(MergeTest, EightNeighboursBecomeOneWithAllTheirPostings) {
  const auto sources = write_sources();
  const Manifest result = merge(sources);
  expect_holds(result, expected([](Seq) { return true; }));
  EXPECT_EQ(result.first, kFirst);
  EXPECT_EQ(result.end, kFirst + 8 * kEach);
  EXPECT_EQ(result.ids, 8 * kEach);
  EXPECT_EQ(result.level, 3);
  EXPECT_EQ(result.epoch, 4);
  EXPECT_EQ(result.purpose, 9);
  for (const Manifest& source : sources) EXPECT_TRUE(replaces(result, source));
  const auto all = read_manifests(state_);
  EXPECT_EQ(all.back(), result);
}

TEST_F(MergeTest, IsTheGenerationThatIsWrittenAtOnce) {
  const Manifest merged = merge(write_sources());
  const auto columns = expected([](Seq) { return true; });
  const Manifest once = write(columns, like(kFirst, kFirst + 8 * kEach, merged.prefix_bits));
  for (std::size_t column = 0; column < kColumns; ++column) {
    EXPECT_EQ(stream(once, column, 256), stream(merged, column, 256));
    EXPECT_EQ(once.columns[column].postings, merged.columns[column].postings);
  }
}

TEST_F(MergeTest, AHotBucketGrowsIntoALongList) {
  const auto sources = write_sources();
  EXPECT_FALSE(has_list(sources[0], kHot, 0));
  EXPECT_TRUE(has_list(sources[2], kBurst, 1));
  const Manifest result = merge(sources);
  EXPECT_TRUE(has_list(result, kHot, 0));
  EXPECT_TRUE(has_list(result, kBurst, 2 * kEach + 1));
}

TEST_F(MergeTest, WhatIsGoneOrExpiredIsDroppedAndALongListMayShrink) {
  SeqSet deleted;
  const auto is_gone = [](Seq seq) { return seq % 3 == 0 || seq % 4 == 1; };
  for (Seq seq = kFirst; seq < kFirst + 8 * kEach; ++seq) {
    if (is_gone(seq)) deleted.insert(seq);
  }
  constexpr Seq kExpired = kFirst + 1234;
  const Manifest result = merge(write_sources(), kExpired, deleted);
  expect_holds(result, expected([&](Seq seq) { return seq >= kExpired && !is_gone(seq); }));
  EXPECT_FALSE(has_list(result, kBurst, 2 * kEach + 1));
  EXPECT_EQ(result.first, kFirst);  // its range still is that of its sources
}

TEST_F(MergeTest, NothingIsLeftWhenAllIsGone) {
  const Manifest result = merge(write_sources(), kFirst + 8 * kEach);
  expect_holds(result, std::vector<Postings>(kColumns));
}

TEST_F(MergeTest, SourcesMayHaveFewerColumns) {
  const Manifest one = write({{{7, {kFirst}}}}, like(kFirst, kFirst + 1, 8));
  const Manifest two =
      write({{{7, {kFirst + 3}}}, {{9, {kFirst + 3}}}}, like(kFirst + 3, kFirst + 4, 8));
  expect_holds(merge({one, two}), {{{7, {kFirst, kFirst + 3}}}, {{9, {kFirst + 3}}}});
  const Manifest three = write({{{7, {kFirst + 9}}}}, like(kFirst + 9, kFirst + 10, 8));
  expect_holds(merge({two, three}), {{{7, {kFirst + 3, kFirst + 9}}}, {{9, {kFirst + 3}}}});
}

TEST_F(MergeTest, ASavedMergeIsContinuedFromItsLastColumn) {
  const auto sources = write_sources();
  SeqSet deleted;
  for (Seq seq = kFirst; seq < kFirst + 8 * kEach; seq += 3) deleted.insert(seq);
  constexpr Seq kExpired = kFirst + 500;
  ASSERT_NO_FATAL_FAILURE(merge_one_column(sources, kExpired, deleted));

  auto journal = take_merge_journal(state_, sources);
  ASSERT_TRUE(journal);
  remove_unfinished_files(state_, index_file_name(journal->result.generation),
                          journal->file_bytes.size());
  Merge merge(state_, sources, *std::move(journal));
  EXPECT_EQ(complete(merge), kColumns - 1);
  EXPECT_FALSE(has_unfinished_files());
  expect_holds(merge.result(),
               expected([](Seq seq) { return seq >= kExpired && (seq - kFirst) % 3 != 0; }));
  EXPECT_EQ(merge.result().level, 3);
  EXPECT_EQ(read_manifests(state_).back(), merge.result());
  EXPECT_THAT(merge.deleted().in_range(kFirst, kFirst + 4),
              UnorderedElementsAre(kFirst, kFirst + 3));
}

TEST_F(MergeTest, AMergeThatWasNotSavedLeavesNothing) {
  auto merge = std::make_unique<Merge>(state_, write_sources(), next_++, 16, 0, SeqSet());
  EXPECT_EQ(merge->step(kGoOn), MergeStep::kColumn);
  EXPECT_TRUE(has_unfinished_files());
  merge.reset();
  EXPECT_FALSE(has_unfinished_files());
  EXPECT_FALSE(take_merge_journal(state_, read_manifests(state_)));
}

TEST_F(MergeTest, ASavedMergeIsForgottenWhenItsSourcesOrFilesAreNotThere) {
  const auto sources = write_sources();
  ASSERT_NO_FATAL_FAILURE(merge_one_column(sources, 0, {}));
  const std::span<const Manifest> too_few(sources.data(), sources.size() - 1);
  EXPECT_FALSE(take_merge_journal(state_, too_few));
  EXPECT_FALSE(take_merge_journal(state_, sources)) << "it was erased";

  ASSERT_NO_FATAL_FAILURE(merge_one_column(sources, 0, {}));
  remove_unfinished_files(state_);
  EXPECT_FALSE(take_merge_journal(state_, sources));
}

TEST_F(MergeTest, SeqsMayBeAlmostAllOffsetsApart) {
  constexpr Seq kFar = kFirst + kLongList - 2;
  const Manifest one = write({{{7, {kFirst}}}}, like(kFirst, kFirst + 1, 8));
  const Manifest two = write({{{7, {kFar}}}}, like(kFar, kFar + 1, 9));
  const Manifest result = merge({one, two});
  EXPECT_THAT(find(result, {0, 7}), ElementsAre(kFirst, kFar));
  EXPECT_THAT(find(result, {0, 7}, kFirst), ElementsAre(kFar));
}

}  // namespace
}  // namespace neardup::TEST_FILE
