#include "service/kafka/store/order_message.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

const TopicIds kIds{{"docs", "mTVSNVlSTuSnsEYZxkGEjA"}};

CommitMetadata mark(Seq next_seq) {
  return {"state", 5, "00112233445566778899aabbccddeeff", next_seq};
}

// A batch whose records came from these (input, offset), from seq 10 on.
StoredBatch batch_of(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& sources,
                     std::uint32_t partitions) {
  StoredBatch batch;
  Seq seq = 10;
  for (const auto& [input, offset] : sources) {
    Flag& flag = batch.flags.emplace_back(test_flag(seq++, Status::kUnique));
    flag.source = {.input = input, .place = offset};
  }
  batch.after = mark(seq);
  for (std::uint32_t p = 0; p < partitions; ++p) {
    batch.to.push_back({{"docs", static_cast<std::int32_t>(p)}, 1'000'000});
  }
  return batch;
}

TEST(OrderMessage, ComesBack) {
  const StoredBatch batch =
      batch_of({{1, 7}, {1, 8}, {0, 400}, {1, 9}, {1, 12}, {0, 401}, {2, 0}}, 3);
  const auto order = decode_order(encode_order(batch, kIds));
  ASSERT_TRUE(order);
  EXPECT_EQ(order->after, batch.after);
  EXPECT_EQ(order->first, 10);
  EXPECT_EQ(order->places, batch.to);
  EXPECT_EQ(order->ids, kIds);
  EXPECT_EQ(order->runs,
            (std::vector<OrderRun>{
                {1, 7, 2}, {0, 400, 1}, {1, 9, 1}, {1, 12, 1}, {0, 401, 1}, {2, 0, 1}}));
  EXPECT_EQ(encode_order(*order), encode_order(batch, kIds));
}

TEST(OrderMessage, OfTopicsWithoutIdsIsThatOfVersion1) {
  const StoredBatch batch = batch_of({{0, 7}, {1, 8}}, 2);
  const std::string without = encode_order(batch, {});
  EXPECT_EQ(without.front(), 1);
  EXPECT_EQ(encode_order(batch, kIds).front(), 2);
  ASSERT_TRUE(decode_order(without));
  EXPECT_EQ(decode_order(without)->ids, TopicIds());
  EXPECT_EQ(decode_order(without)->runs, decode_order(encode_order(batch, kIds))->runs);
}

TEST(OrderMessage, ItsHeadAloneSaysWhichRecordsAndOfWhichState) {
  const auto head = decode_order_head(encode_order(batch_of({{0, 3}, {0, 4}}, 1), kIds));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->after, mark(12));
  EXPECT_EQ(head->first, 10);
}

TEST(OrderMessage, ARecordTakesAFewBits) {
  std::mt19937 random(7);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> mixed;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> in_runs;
  std::vector<std::uint64_t> offsets(16, 5'000'000'000);
  for (std::uint32_t i = 0; i < 16'384; ++i) {
    const std::uint32_t input = random() % 16;
    mixed.emplace_back(input, offsets[input]++);
    in_runs.emplace_back(i / 256 % 16, 256 * (i / 4096) + i % 256);
  }
  // Of sixteen partitions that mix at random the partition alone takes 4 bits.
  EXPECT_LT(encode_order(batch_of(mixed, 16), kIds).size() * 8, 16'384 * 6);
  EXPECT_LT(encode_order(batch_of(in_runs, 16), kIds).size() * 8, 16'384 / 4);
}

TEST(OrderMessage, AnythingElseIsNone) {
  const std::string good = encode_order(batch_of({{0, 3}, {0, 4}, {1, 9}}, 2), kIds);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(decode_order(std::string_view(good).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_order(good + "x"));
  for (const char version : {'\0', '\1', '\3'}) {
    EXPECT_FALSE(decode_order(version + good.substr(1))) << int{version};
  }
  OrderMessage order = decode_order(good).value();
  order.after.next_seq = 14;  // one more than the runs have
  EXPECT_FALSE(decode_order(encode_order(order)));
  order = decode_order(good).value();
  order.first = 0;
  EXPECT_FALSE(decode_order(encode_order(order)));
}

}  // namespace
}  // namespace neardup::TEST_FILE
