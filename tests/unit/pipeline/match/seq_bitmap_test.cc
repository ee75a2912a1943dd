#include "pipeline/match/seq_bitmap.h"

#include <gmock/gmock.h>

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::FieldsAre;
using testing::IsEmpty;

SeqBitmap words_of(const std::vector<Seq>& seqs) {
  SeqBitmap words;
  for (const Seq seq : seqs) append(words, seq);
  return words;
}

const std::vector<Seq> kSeqs = {1, 63, 64, 200, 201, kMaxSeq};

TEST(SeqBitmap, HoldNeighboursTogether) {
  EXPECT_THAT(words_of({}), IsEmpty());
  const std::vector<Seq> seqs = {1, 63, 64, 200};
  EXPECT_THAT(words_of(seqs), ElementsAre(FieldsAre(0, std::uint64_t{1} << 63 | 2), FieldsAre(1, 1),
                                          FieldsAre(3, std::uint64_t{1} << 8)));
}

TEST(SeqBitmap, GiveTheSeqsBack) {
  std::vector<Seq> found;
  for (const SeqWord& word : words_of(kSeqs)) {
    for_each_seq(word, [&](Seq seq) { found.push_back(seq); });
  }
  EXPECT_THAT(found, ElementsAreArray(kSeqs));
}

TEST(SeqBitmap, ContainWhatTheyWereMadeOf) {
  const SeqBitmap words = words_of(kSeqs);
  for (const Seq seq : kSeqs) EXPECT_TRUE(contains(words, seq)) << seq;
  for (const Seq seq : {Seq{2}, Seq{65}, Seq{128}, Seq{199}, Seq{264}, kMaxSeq - 1}) {
    EXPECT_FALSE(contains(words, seq)) << seq;
  }
}

TEST(SeqBitmap, LoseWhatIsRemovedAndNothingElse) {
  SeqBitmap words = words_of(kSeqs);
  std::vector<Seq> left = kSeqs;
  for (const Seq seq : {Seq{63}, kMaxSeq, Seq{1}, Seq{201}, Seq{64}, Seq{200}}) {
    remove(words, seq);
    std::erase(left, seq);
    for (const Seq other : kSeqs) {
      EXPECT_EQ(contains(words, other), std::ranges::count(left, other) == 1) << seq << other;
    }
  }
  EXPECT_THAT(words, IsEmpty());
}

}  // namespace
}  // namespace neardup::TEST_FILE
