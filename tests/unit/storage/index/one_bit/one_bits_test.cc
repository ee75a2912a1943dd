#include "storage/index/one_bit/one_bits.h"

#include <gmock/gmock.h>

#include "storage/index/one_bit/one_bit_files.h"
#include "tests/unit/storage/index/state_on_disk.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint64_t kRunBytes = kRunSeqs * 2 * sizeof(std::uint64_t) + sizeof(RunTags);

std::vector<std::uint64_t> words(Seq seq) { return {seq, ~seq}; }

bool holds(const OneBits& bits, Seq seq) {
  const std::uint64_t* found = bits.get(seq);
  return found != nullptr && std::vector(found, found + 2) == words(seq);
}

TEST(OneBitsTest, GivesWhatWasPutAndNothingOfOtherRuns) {
  OneBits bits;
  bits.set_budget(100 * kRunBytes);
  for (const Seq seq : {Seq{5}, Seq{6}, kRunSeqs, 3 * kRunSeqs - 1}) bits.put(seq, 1, words(seq));
  for (const Seq seq : {Seq{5}, Seq{6}, kRunSeqs, 3 * kRunSeqs - 1}) {
    EXPECT_TRUE(holds(bits, seq)) << seq;
  }
  EXPECT_EQ(bits.get(4), nullptr);
  EXPECT_EQ(bits.get(3 * kRunSeqs), nullptr);
  EXPECT_EQ(bits.memory_bytes(), 3 * kRunBytes);
}

TEST(OneBitsTest, DropsTheOldestRunsBeyondTheBudgetButNoneThatIsToBeKept) {
  OneBits bits;
  bits.set_budget(2 * kRunBytes);
  bits.set_keep(kRunSeqs);
  for (Seq run = 0; run < 4; ++run) bits.put(run * kRunSeqs, 1, words(run * kRunSeqs));
  EXPECT_EQ(bits.get(0), nullptr);
  EXPECT_TRUE(holds(bits, kRunSeqs));
  bits.set_keep(4 * kRunSeqs);
  bits.put(4 * kRunSeqs, 1, words(4 * kRunSeqs));
  EXPECT_EQ(bits.get(2 * kRunSeqs), nullptr);
  EXPECT_TRUE(holds(bits, 3 * kRunSeqs));
  EXPECT_TRUE(holds(bits, 4 * kRunSeqs));
}

class OneBitFilesTest : public StateOnDisk {
 protected:
  void write(const OneBits& bits, Seq first, Seq end) {
    SstFiles files(state_, Family::kBits, "bits-" + std::to_string(first));
    write_one_bits([&](Seq from, Seq to) { return bits.stored(from, to); }, first, end, files);
    ingest(state_, {&files});
  }
};

// Seqs without a sketch at the start of a flush, and in the middle.
TEST_F(OneBitFilesTest, WhatIsWrittenComesBack) {
  OneBits bits;
  bits.set_budget(100 * kRunBytes);
  for (const Seq seq : {Seq{7}, Seq{9}, kRunSeqs - 1, 2 * kRunSeqs + 3})
    bits.put(seq, 1, words(seq));
  write(bits, 5, 2 * kRunSeqs + 10);
  OneBits again;
  again.set_budget(100 * kRunBytes);
  read_one_bits(state_, kMaxSeq, {}, again);
  for (const Seq seq : {Seq{7}, Seq{9}, kRunSeqs - 1, 2 * kRunSeqs + 3}) {
    EXPECT_TRUE(holds(again, seq)) << seq;
  }
}

// A process with little memory writes a later part of a run without having the earlier one.
TEST_F(OneBitFilesTest, NoSketchOfAPartlyLoadedRunIsWrong) {
  OneBits first;
  first.set_budget(100 * kRunBytes);
  first.put(10, 1, words(10));
  write(first, 10, 20);
  OneBits second;
  second.put(25, 1, words(25));
  write(second, 21, 30);
  OneBits again;
  again.set_budget(100 * kRunBytes);
  read_one_bits(state_, kMaxSeq, {}, again);
  EXPECT_TRUE(holds(again, 10));
  EXPECT_TRUE(again.get(25) == nullptr || holds(again, 25));
}

TEST_F(OneBitFilesTest, TheLatestAreReadWhenThereIsNotRoomForAll) {
  OneBits bits;
  bits.set_budget(100 * kRunBytes);
  for (Seq run = 0; run < 3; ++run) bits.put(run * kRunSeqs + 1, 1, words(run * kRunSeqs + 1));
  write(bits, 1, 2 * kRunSeqs + 2);
  OneBits again;
  again.set_budget(2 * kRunBytes);
  read_one_bits(state_, kMaxSeq, {}, again);
  EXPECT_TRUE(holds(again, 2 * kRunSeqs + 1));
  EXPECT_EQ(again.get(1), nullptr);
}

}  // namespace
}  // namespace neardup::TEST_FILE
