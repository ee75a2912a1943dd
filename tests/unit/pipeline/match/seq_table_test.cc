#include "pipeline/match/seq_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace neardup::TEST_FILE {
namespace {

TEST(SeqTable, FindsWhatWasAddedWhereItWasPut) {
  SeqTable<int> table;
  std::map<Seq, int*> added;
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const Seq seq = 1 + random() % 100'000;
    if (!added.contains(seq)) added[seq] = table.add(seq, i);
  }
  EXPECT_EQ(table.size(), added.size());
  for (Seq seq = 1; seq <= 100'000; ++seq) {
    const auto it = added.find(seq);
    EXPECT_EQ(table.find(seq), it == added.end() ? nullptr : it->second) << seq;
  }
  table.clear();
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.find(added.begin()->first), nullptr);
}

}  // namespace
}  // namespace neardup::TEST_FILE
