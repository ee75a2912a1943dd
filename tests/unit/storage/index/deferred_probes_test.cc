// Look-ups that the row of another hit answers.
#include "storage/index/deferred_probes.h"

#include <gmock/gmock.h>

#include <set>

#include "storage/format.h"
#include "tests/unit/storage/index/index_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr std::size_t kBands = 6;
constexpr Seq kCopied = 70;

// Word m of a sketch is its hash in band m.
IndexEntry entry_of(const DocumentRow& row) {
  IndexEntry entry;
  for (const std::uint64_t hash : row.sketch) entry.buckets.push_back(hash << (64 - kHashBits));
  return entry;
}

class PutOffsTest : public IndexStateTest {
 protected:
  // kCopied is in bucket 100 + m of band m.
  PutOffsTest() {
    columns_.resize(kFirstBandColumn + kBands);
    for (std::size_t band = 0; band < kBands; ++band) {
      columns_[kFirstBandColumn + band][100 + band] = {kCopied};
      sketch_.push_back(100 + band);
    }
  }

  void make_generation() {
    Manifest like;
    like.generation = 1;
    like.first = 1;
    like.end = 1000;
    generation_.emplace(write(columns_, like));
    auto filters = read_filters(state_, generation_->manifest, 0, columns_.size());
    for (std::size_t i = 0; i < filters.size(); ++i) {
      generation_->columns[i].filter.emplace(std::move(filters[i]));
    }
  }

  void put_row() {
    DocumentRow row;
    row.seq = kCopied;
    row.id = "copied";
    row.sketch = sketch_;
    const RowKey key = encode_row_key(row.seq);
    rocksdb::WriteOptions unlogged;
    unlogged.disableWAL = true;
    ASSERT_TRUE(state_.db()
                    .Put(unlogged, state_.family(Family::kDocs), as_slice(key),
                         rocksdb::Slice(encode_document(row)))
                    .ok());
  }

  void ask(const std::vector<std::uint64_t>& hashes) {
    for (std::size_t band = 0; band < hashes.size(); ++band) {
      places_.push_back(static_cast<std::uint32_t>(probes_.size()));
      probes_.push_back({kFirstBandColumn + band, hashes[band]});
    }
  }

  // Looks up what is left, has the rest answered; returns the hits of the rows.
  std::vector<std::pair<std::uint32_t, Seq>> answers() {
    std::vector<Hit> hits;
    auto left = places_;  // find_in_pages sorts them
    find_in_pages(state_, generation_->manifest, probes_, left, 0,
                  [&](std::uint32_t place, Seq seq) {
                    hits.push_back({place, seq});
                    return true;
                  });
    std::vector<std::pair<std::uint32_t, Seq>> answered;
    deferred_.answer(
        state_, entry_of, probes_, hits,
        [&](std::uint32_t place, Seq seq) { answered.emplace_back(place, seq); }, places_);
    return answered;
  }

  std::vector<Postings> columns_;
  std::vector<std::uint64_t> sketch_;
  std::optional<Generation> generation_;
  std::vector<Probe> probes_;
  std::vector<std::uint32_t> places_;
  DeferredProbes deferred_;
};

TEST_F(PutOffsTest, AFewPlacesAreAllLookedUp) {
  make_generation();
  ask({100, 101, 102});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(places_, ElementsAre(0, 1, 2));
  EXPECT_TRUE(deferred_.empty());
}

TEST_F(PutOffsTest, OfManyOneIsLookedUpAndItsRowAnswersTheOthers) {
  make_generation();
  put_row();
  ask({100, 101, 102, 103, 104});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(places_, ElementsAre(0));
  EXPECT_THAT(answers(), UnorderedElementsAre(Pair(1, kCopied), Pair(2, kCopied), Pair(3, kCopied),
                                              Pair(4, kCopied)));
  EXPECT_THAT(places_, IsEmpty());
}

TEST_F(PutOffsTest, WhatAnotherDocumentIsAtIsLookedUp) {
  columns_[kFirstBandColumn + 2][777] = {kCopied + 1};
  make_generation();
  put_row();
  ask({100, 101, 777, 103});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(places_, ElementsAre(0));
  EXPECT_THAT(answers(), UnorderedElementsAre(Pair(1, kCopied), Pair(3, kCopied)));
  EXPECT_THAT(places_, ElementsAre(2));
}

TEST_F(PutOffsTest, ABucketOfSeveralIsLookedUpAtOnce) {
  columns_[kFirstBandColumn][100] = {kCopied, kCopied + 1};
  columns_[kFirstBandColumn + 3][103] = {kCopied - 1, kCopied};
  make_generation();
  ask({100, 101, 102, 103, 104, 105});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(places_, UnorderedElementsAre(0, 3, 1));
  EXPECT_FALSE(deferred_.empty());
}

TEST_F(PutOffsTest, WithoutTheRowAllAreLookedUp) {
  make_generation();
  ask({100, 101, 102, 103});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(answers(), IsEmpty());
  EXPECT_THAT(places_, UnorderedElementsAre(1, 2, 3));
}

TEST_F(PutOffsTest, WhereTheFirstFindsNothingAllAreLookedUp) {
  make_generation();
  generation_->columns[kFirstBandColumn].filter->add(555);  // as a false positive
  put_row();
  ask({555, 101, 102, 103});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(places_, ElementsAre(0));
  EXPECT_THAT(answers(), IsEmpty());
  EXPECT_THAT(places_, UnorderedElementsAre(1, 2, 3));
}

TEST_F(PutOffsTest, EachDocumentHasOneOfItsOwn) {
  make_generation();
  put_row();
  ask({100, 101, 102, 103});
  ask({100, 101});
  ask({100, 101, 102, 103, 104});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_THAT(places_, ElementsAre(0, 4, 5, 6));
  EXPECT_THAT(answers(), UnorderedElementsAre(Pair(1, kCopied), Pair(2, kCopied), Pair(3, kCopied),
                                              Pair(7, kCopied), Pair(8, kCopied), Pair(9, kCopied),
                                              Pair(10, kCopied)));
}

TEST_F(PutOffsTest, WithoutAFilterNothingIsPutOff) {
  make_generation();
  for (Generation::Column& column : generation_->columns) column.filter.reset();
  ask({100, 101, 102, 103, 104, 105});
  deferred_.take(*generation_, probes_, places_);
  EXPECT_EQ(places_.size(), kBands);
  EXPECT_TRUE(deferred_.empty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
