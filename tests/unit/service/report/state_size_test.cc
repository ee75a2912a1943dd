#include "service/report/state_size.h"

#include <gtest/gtest.h>

#include <random>

#include "storage/format.h"
#include "storage/stores.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

Rule rule_of(std::uint32_t bands) {
  Rule rule;
  rule.plan.bands = bands;
  rule.plan.rows = 6;
  return rule;
}

DocumentRow random_row(Seq seq, std::mt19937_64& random) {
  DocumentRow row;
  row.seq = seq;
  for (int i = 0; i < 32; ++i) row.id += static_cast<char>('a' + random() % 26);
  row.time_ms = 1'700'000'000'000;
  row.content = {random(), random()};
  row.tokens = 585;
  row.text_bytes = 4096;
  for (int i = 0; i < 32; ++i) row.sketch.push_back(random());
  return row;
}

TEST(EncodedBytes, AreThoseOfTheStoredFormats) {
  std::mt19937_64 random(1);
  const DocumentRow row = random_row(1000, random);
  const DocumentBytes bytes = encoded_bytes(rule_of(16), false, {});
  EXPECT_EQ(bytes.sketch, 256);
  EXPECT_EQ(bytes.one_bit, 32);
  EXPECT_EQ(bytes.sketch + bytes.row, 5 + encode_document(row).size());
  EXPECT_EQ(bytes.postings, 18 * 8);
  EXPECT_EQ(bytes.copy, 10);
  EXPECT_EQ(bytes.id, 5 + encode_id({"", row.id}, {}).size() + 8 + 32);
  EXPECT_EQ(bytes.text, 0);
  EXPECT_GT(encoded_bytes(rule_of(16), true, {}).text, 1000);
}

TEST(DiskBytes, AreWithinATenthOfARealState) {
  constexpr std::uint32_t kDocuments = 20'000;  // and as many copies
  constexpr std::uint16_t kBands = 16;
  std::mt19937_64 random(2);
  WriteSet writes;
  for (Seq seq = 1; seq <= 2 * kDocuments; ++seq) {
    DocumentRow row = random_row(seq, random);
    IdRow id{.seq = seq, .content = row.content};
    id.kept = id.has_document = seq % 2 == 0;
    if (!id.kept) id.original = seq - 1;
    writes.ids.push_back({{"", row.id}, id});
    if (!id.kept) continue;
    IndexEntry index;
    for (std::uint16_t band = 0; band < kBands; ++band) index.buckets.push_back(random());
    for (int i = 0; i < 4; ++i) index.one_bit.push_back(random());
    writes.documents.push_back({std::move(row), {}, std::move(index)});
  }
  const ScratchDirectory scratch;
  StorageOptions options;
  options.path = scratch.file("state");
  const auto store = open_store(options, OpenMode::kReadWrite);
  store->set_index([](const DocumentRow&) { return IndexEntry(); });
  store->commit(writes);
  store->compact();
  const double each = static_cast<double>(store->size().disk_bytes) / kDocuments;
  const DocumentBytes bytes = disk_bytes(encoded_bytes(rule_of(kBands), false, {}));
  const double expected = bytes.total() + bytes.id + bytes.copy;
  EXPECT_NEAR(each, expected, expected / 10);
}

TEST(HotBytes, AreThoseOfFiltersAndTheOneBitSketch) {
  const Rule rule = rule_of(16);
  const HotBytes hot = hot_bytes(rule, disk_bytes(encoded_bytes(rule, false, {})));
  EXPECT_EQ(hot.filters, 18 * 2.5);
  EXPECT_EQ(hot.one_bit, 32);
  EXPECT_GT(hot.block_indexes, 1);
  EXPECT_LT(hot.block_indexes, 4);
}

}  // namespace
}  // namespace neardup::TEST_FILE
