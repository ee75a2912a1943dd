#include "storage/similar/keyword_index.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "pipeline/base/failure.h"
#include "storage/memory_store.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint32_t kKeywords = 2;

// A document's only word is its seq, and its keywords are the low bits of that.
class KeywordIndexTest : public testing::Test {
 protected:
  void add(int count) {
    for (int i = 0; i < count; ++i) {
      DocumentPut put;
      put.row.seq = ++seq_;
      put.row.id = std::to_string(seq_);
      put.row.sketch = {seq_};
      put.index.one_bit = {seq_};
      WriteSet writes;
      writes.ids.emplace_back(IdKey{"", put.row.id}, IdRow{.seq = seq_});
      writes.documents.push_back(std::move(put));
      store_->commit(writes);
    }
  }
  void remove(Seq first, Seq last) {
    for (Seq seq = first; seq <= last; ++seq) {
      WriteSet writes;
      writes.erase_documents = {seq};
      writes.erase_ids = {{{"", std::to_string(seq)}, {.seq = seq}}};
      store_->commit(writes);
    }
  }

  KeywordIndexOptions options(bool read_only = false, std::uint64_t identity = 1) const {
    return {
        scratch_.file("similar"), read_only, {identity, KeywordSource::kSketch, kKeywords}, 10, 40};
  }
  std::unique_ptr<KeywordIndex> open(const KeywordIndexOptions& options) {
    made_ = 0;
    auto index = std::make_unique<KeywordIndex>(
        options, [this](const DocumentRow& row, std::uint16_t* keywords) {
          ++made_;
          keywords[0] = static_cast<std::uint16_t>(row.sketch[0]);
          keywords[1] = static_cast<std::uint16_t>(row.sketch[0] >> 4);
        });
    index->follow(*store_->sketches());
    return index;
  }
  std::unique_ptr<KeywordIndex> open() { return open(options()); }

  // Documents that come one by one, so that each segment is of the least size.
  std::unique_ptr<KeywordIndex> grow(int count) {
    auto index = open();
    for (int i = 0; i < count; ++i) {
      add(1);
      index->follow(*store_->sketches());
    }
    return index;
  }

  // All documents of the index; their keywords are checked.
  static std::vector<Seq> seqs_of(const KeywordIndex& index) {
    const KeywordParts parts = index.parts();
    std::vector<Seq> seqs;
    for (const auto& segment : parts.segments) {
      for (std::uint32_t place = 0; place < segment->documents(); ++place) {
        const Seq seq = segment->seq(place);
        const std::uint32_t* start = segment->postings().starts(0) + seq;
        const std::uint32_t* places = segment->postings().places(0);
        EXPECT_TRUE(std::count(places + start[0], places + start[1], place) == 1) << seq;
        seqs.push_back(seq);
      }
    }
    for (std::size_t i = 0; i < parts.tail.size(); ++i) {
      EXPECT_EQ(parts.tail.column(0)[i], parts.tail.seqs()[i]);
      seqs.push_back(parts.tail.seqs()[i]);
    }
    return seqs;
  }
  std::vector<Seq> range(Seq first, Seq last) {
    std::vector<Seq> seqs;
    for (Seq seq = first; seq <= last; ++seq) seqs.push_back(seq);
    return seqs;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.file("similar"))) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  ScratchDirectory scratch_;
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  Seq seq_ = 0;
  int made_ = 0;  // keywords since the last `open`
};

TEST_F(KeywordIndexTest, FollowsTheStore) {
  const auto index = open();
  EXPECT_THAT(seqs_of(*index), IsEmpty());
  for (const int count : {3, 7, 1, 24}) {
    add(count);
    index->follow(*store_->sketches());
    EXPECT_EQ(seqs_of(*index), range(1, seq_));
    EXPECT_EQ(index->parts().end, store_->sketches()->end());
  }
  EXPECT_EQ(made_, 35);
  EXPECT_THAT(files(), ElementsAre("0-11", "11-21", "21-36")) << "the last came at once";
}

TEST_F(KeywordIndexTest, WhatWasSharedDoesNotChange) {
  add(5);
  const auto index = open();
  const KeywordParts before = index->parts();
  add(30);
  index->follow(*store_->sketches());
  index->maintain(*store_->sketches());
  EXPECT_THAT(before.segments, IsEmpty());
  EXPECT_THAT(before.tail.seqs(), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(KeywordIndexTest, ReadsNoRowAgainForItsSegments) {
  grow(35);
  const auto again = open();
  EXPECT_EQ(made_, 5);
  EXPECT_EQ(seqs_of(*again), range(1, 35));
}

TEST_F(KeywordIndexTest, MergesNeighboursThatFillASegment) {
  const auto index = grow(95);
  index->maintain(*store_->sketches());
  EXPECT_EQ(seqs_of(*index), range(1, 95));
  EXPECT_THAT(files(), ElementsAre("0-41", "41-81", "81-91"));
  EXPECT_EQ(seqs_of(*open()), range(1, 95));
}

TEST_F(KeywordIndexTest, WhatIsTooNewForAViewIsMergedWithTheNext) {
  const auto index = open();
  add(1);
  const auto before = store_->sketches();
  index->follow(*before);
  for (int i = 0; i < 40; ++i) {
    add(1);
    index->follow(*store_->sketches());
  }
  ASSERT_EQ(index->parts().segments.size(), 4);
  index->maintain(*before);
  EXPECT_EQ(index->parts().segments.size(), 4);
  index->maintain(*store_->sketches());
  EXPECT_EQ(index->parts().segments.size(), 1);
}

TEST_F(KeywordIndexTest, EndedDocumentsLeaveWhenAThirdHasEnded) {
  const auto index = grow(81);
  index->maintain(*store_->sketches());
  remove(3, 12);
  add(10);  // a new segment, after which all are looked at
  index->follow(*store_->sketches());
  index->maintain(*store_->sketches());
  EXPECT_EQ(seqs_of(*index), range(1, 91)) << "a quarter of the first segment";
  remove(13, 20);
  add(10);
  index->follow(*store_->sketches());
  index->maintain(*store_->sketches());
  auto left = range(1, 101);
  std::erase_if(left, [](Seq seq) { return seq >= 3 && seq <= 20; });
  EXPECT_EQ(seqs_of(*index), left);
  EXPECT_EQ(seqs_of(*open()), left);
}

TEST_F(KeywordIndexTest, AfterACompactionNoEndedDocumentIsLeft) {
  const auto index = grow(60);
  remove(5, 5);
  remove(52, 52);
  index->compact(*store_->sketches());
  auto left = range(1, 60);
  std::erase_if(left, [](Seq seq) { return seq == 5 || seq == 52; });
  EXPECT_EQ(seqs_of(*index), left);
  EXPECT_EQ(seqs_of(*open()), left);
}

TEST_F(KeywordIndexTest, TheFilesSayWhatTheyHold) {
  EXPECT_EQ(stored_keywords(scratch_.file("similar")).segments, 0);
  grow(25);
  scratch_.write("similar/other", "not a segment, but as long as the header of one; and longer");
  const StoredKeywords stored = stored_keywords(scratch_.file("similar"));
  EXPECT_EQ(stored.segments, 2);
  EXPECT_EQ(stored.kind.keywords, kKeywords);
  EXPECT_EQ(stored.bytes, std::filesystem::file_size(scratch_.file("similar/0-11")) +
                              std::filesystem::file_size(scratch_.file("similar/11-21")));
}

TEST_F(KeywordIndexTest, ExpiredDocumentsLeave) {
  const auto index = grow(100);
  index->maintain(*store_->sketches());
  WriteSet writes;
  writes.expired_before = 70;
  store_->commit(writes);
  add(11);
  index->follow(*store_->sketches());
  index->maintain(*store_->sketches());
  const auto seqs = seqs_of(*index);
  EXPECT_EQ(seqs.front(), 70);
  EXPECT_EQ(seqs.back(), 111);
  EXPECT_EQ(seqs_of(*open()), seqs);
  EXPECT_LE(made_, 10);
}

TEST_F(KeywordIndexTest, DamagedAndMissingSegmentsAreMadeAgain) {
  grow(45);
  std::filesystem::copy(scratch_.file("similar"), scratch_.file("whole"));
  for (const std::string name : {"0-11", "11-21", "31-41"}) {
    for (const bool removed : {false, true}) {
      std::filesystem::remove_all(scratch_.file("similar"));
      std::filesystem::copy(scratch_.file("whole"), scratch_.file("similar"));
      const std::string path = scratch_.file("similar/" + name);
      removed ? void(std::filesystem::remove(path)) : std::filesystem::resize_file(path, 100);
      EXPECT_EQ(seqs_of(*open()), range(1, 45)) << name;
      EXPECT_GE(made_, 15);
      EXPECT_EQ(seqs_of(*open()), range(1, 45)) << name;
      EXPECT_LE(made_, 5) << "stored again";
    }
  }
}

TEST_F(KeywordIndexTest, SegmentsOfAnotherStateAreMadeAgain) {
  grow(45);
  EXPECT_EQ(seqs_of(*open(options(false, 2))), range(1, 45));
  EXPECT_EQ(made_, 45);
}

// As an interrupted merge leaves them: the merged segment beside its sources, or a file without an
// end.
TEST_F(KeywordIndexTest, LeftoversOfAnInterruptedMergeAreRemoved) {
  const auto index = grow(41);
  std::filesystem::copy(scratch_.file("similar"), scratch_.file("copy"));
  index->maintain(*store_->sketches());
  ASSERT_THAT(files(), ElementsAre("0-41"));
  std::filesystem::copy(scratch_.file("copy"), scratch_.file("similar"));
  scratch_.write("similar/41-51.tmp", "half of it");
  EXPECT_EQ(seqs_of(*open()), range(1, 41));
  EXPECT_THAT(files(), ElementsAre("0-41"));
}

TEST_F(KeywordIndexTest, ReadOnlyItWritesNothing) {
  grow(25);
  scratch_.write("similar/other", "x");
  add(20);
  const auto index = open(options(true));
  EXPECT_EQ(seqs_of(*index), range(1, 45));
  EXPECT_EQ(made_, 25);
  index->maintain(*store_->sketches());
  EXPECT_EQ(seqs_of(*index), range(1, 45));
  EXPECT_THAT(files(), ElementsAre("0-11", "11-21", "other"));
}

TEST_F(KeywordIndexTest, WithoutADirectoryItStaysInMemory) {
  add(95);
  auto in_memory = options();
  in_memory.directory.clear();
  const auto index = open(in_memory);
  index->maintain(*store_->sketches());
  EXPECT_EQ(seqs_of(*index), range(1, 95));
  EXPECT_THAT(index->parts().segments, SizeIs(3)) << "as large as merges would make them";
}

TEST_F(KeywordIndexTest, AWriteErrorIsTold) {
  add(5);
  const auto index = open();
  std::filesystem::remove_all(scratch_.file("similar"));
  add(10);
  EXPECT_THROW(index->follow(*store_->sketches()), Failure);
  std::filesystem::create_directory(scratch_.file("similar"));
  index->follow(*store_->sketches());
  EXPECT_EQ(seqs_of(*index), range(1, 15));
}

}  // namespace
}  // namespace neardup::TEST_FILE
