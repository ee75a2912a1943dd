#include "service/kafka/cluster/log/undecided_log.h"

#include <gtest/gtest.h>

#include <random>

#include "pipeline/base/failure.h"
#include "service/cluster/chunk_encoder.h"
#include "tests/unit/service/cluster/random_batch.h"
#include "tests/unit/service/kafka/no_probe.h"

namespace neardup::TEST_FILE {
namespace {

class UndecidedLogTest : public testing::Test {
 protected:
  std::string chunk(const TopicPartition& source, std::int64_t start, std::size_t records) {
    SketchedBatch batch = random_.make(records);
    for (std::size_t i = 0; i < records; ++i)
      batch.records[i].source.place = static_cast<std::uint64_t>(start) + i;
    const auto length = static_cast<std::int64_t>(std::max<std::size_t>(records, 1));
    return encoder_.encode({source, start, start + length}, batch).front().message;
  }

  static std::string placement(std::uint64_t epoch, std::uint32_t shard) {
    return encode_placement(kCluster, {.epoch = epoch, .answering = {shard}, .active = {shard}});
  }

  UndecidedLog begin(LogPlace place = {}, const Placement& placement = first_placement()) {
    return {{rule_, kCluster, SimdLevel::kAuto, probe_, log_}, std::move(place), placement};
  }

  // From the offset of `undecided` on; the messages are those of the offsets 0, 1, 2 …
  void take_all(const std::vector<std::string>& messages, UndecidedLog& undecided) {
    for (auto at = undecided.offset(); at < static_cast<std::int64_t>(messages.size()); ++at)
      undecided.take(at, at * 10, messages[static_cast<std::size_t>(at)]);
  }

  const Rule rule_;
  RandomBatch random_{rule_, 3};
  ChunkEncoder encoder_{rule_, kCluster};
  NoProbe probe_;
  Log log_{{.level = LogLevel::kError}, [](std::string_view) {}, std::chrono::system_clock::now};
};

TEST_F(UndecidedLogTest, AChunkIsFoundByEachOfItsRecords) {
  UndecidedLog undecided = begin();
  take_all({chunk({"a", 0}, 0, 3), chunk({"b", 0}, 0, 0), chunk({"a", 0}, 3, 2)}, undecided);
  EXPECT_EQ(undecided.next_seq(), 6);
  for (Seq seq = 1; seq <= 3; ++seq) EXPECT_EQ(undecided.chunk_of(seq)->first, 1) << seq;
  for (Seq seq = 4; seq <= 5; ++seq) EXPECT_EQ(undecided.chunk_of(seq)->first, 4) << seq;
  EXPECT_EQ(undecided.chunk_of(4)->ts_ms, 20);
  EXPECT_EQ(undecided.chunk_of(0), nullptr);
  EXPECT_EQ(undecided.chunk_of(6), nullptr);
}

TEST_F(UndecidedLogTest, ADecidedChunkGoesWhenItsLastRecordIsDecided) {
  UndecidedLog undecided = begin();
  take_all({chunk({"a", 0}, 0, 3), chunk({"a", 0}, 3, 2)}, undecided);
  undecided.drop_below(3);
  EXPECT_NE(undecided.chunk_of(3), nullptr);
  undecided.drop_below(4);
  EXPECT_EQ(undecided.chunk_of(3), nullptr);
  EXPECT_NE(undecided.chunk_of(4), nullptr);
}

TEST_F(UndecidedLogTest, APlacementHoldsFromTheNextRecordOn) {
  UndecidedLog undecided = begin();
  take_all({chunk({"a", 0}, 0, 3), placement(1, 5), placement(1, 6), chunk({"a", 0}, 3, 2),
            placement(2, 7)},
           undecided);
  EXPECT_EQ(undecided.placement(3), first_placement());
  EXPECT_EQ(undecided.placement(4).active, std::vector<std::uint32_t>{5});
  EXPECT_EQ(undecided.placement(5).epoch, 1);
  EXPECT_EQ(undecided.placement(6).epoch, 2);
  EXPECT_EQ(undecided.placement().epoch, 2);
  undecided.drop_below(4);
  EXPECT_EQ(undecided.placement(4).epoch, 1);
}

TEST_F(UndecidedLogTest, AMessageOfANewerFormatIsRefused) {
  std::string newer = chunk({"a", 0}, 3, 2);
  newer[0] = 2;
  newer.resize(newer.size() - 8);
  seal_log_message(newer);
  UndecidedLog undecided = begin();
  EXPECT_THROW(take_all({chunk({"a", 0}, 0, 3), newer}, undecided), Failure);
  EXPECT_EQ(undecided.offset(), 1);
  EXPECT_EQ(undecided.next_seq(), 4);
}

// Any sequence of messages, cut at any record: who begins there sees what follows as those do who
// have read everything.
TEST_F(UndecidedLogTest, AReaderGoesOnFromThePlaceOfAnyRecord) {
  std::mt19937 dice(11);
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(dice() % n); };
  for (int round = 0; round < 20; ++round) {
    std::map<TopicPartition, std::int64_t> ends;
    std::uint64_t epoch = 0;
    std::vector<std::string> messages;
    for (int i = 0; i < 40; ++i) {
      const TopicPartition source{"topic", static_cast<std::int32_t>(below(3))};
      std::int64_t& end = ends[source];
      switch (below(6)) {
        case 0:
          messages.push_back(placement(++epoch, below(9)));
          break;
        case 1:
          messages.push_back(messages.empty() ? "damaged" : messages[below(messages.size())]);
          break;
        case 2:
          messages.push_back(chunk(source, end + 9, 2));
          break;
        default:
          const std::size_t records = below(4);
          messages.push_back(chunk(source, end, records));
          end += static_cast<std::int64_t>(std::max<std::size_t>(records, 1));
      }
    }
    UndecidedLog all = begin();
    take_all(messages, all);
    for (Seq next = 1; next <= all.next_seq(); ++next) {
      UndecidedLog dropped = begin();
      take_all(messages, dropped);
      dropped.drop_below(next);
      const LogPlace place = all.place_of(next);
      EXPECT_EQ(dropped.place_of(next), place);
      const Placement placement = next < all.next_seq() ? all.placement(next) : all.placement();
      ASSERT_EQ(placement.epoch, place.state.epoch);
      UndecidedLog later = begin(place, placement);
      take_all(messages, later);
      EXPECT_EQ(later.next_seq(), all.next_seq());
      EXPECT_EQ(later.place_of(all.next_seq()), all.place_of(all.next_seq()));
      for (Seq seq = next; seq < all.next_seq(); ++seq) {
        ASSERT_NE(later.chunk_of(seq), nullptr);
        const UndecidedChunk& chunk = *later.chunk_of(seq);
        EXPECT_EQ(chunk.first, all.chunk_of(seq)->first);
        EXPECT_EQ(chunk.batch.records[seq - chunk.first].source,
                  all.chunk_of(seq)->batch.records[seq - chunk.first].source);
        EXPECT_EQ(later.placement(seq), all.placement(seq));
        EXPECT_EQ(dropped.chunk_of(seq)->first, chunk.first);
        EXPECT_EQ(dropped.placement(seq), all.placement(seq));
      }
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
