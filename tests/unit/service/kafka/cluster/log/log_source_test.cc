#include "service/kafka/cluster/log/log_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "pipeline/base/failure.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/placement.h"
#include "service/kafka/message/trace_context.h"
#include "service/records/chunk_builder.h"
#include "tests/unit/service/cluster/random_batch.h"
#include "tests/unit/service/kafka/no_probe.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;

const TopicPartition kLog{"c.log", 0};

// Messages of the log at the offsets 0, 1, 2 …; nothing throws where it stands.
class Messages : public Source {
 public:
  explicit Messages(std::vector<std::optional<std::string>> messages)
      : messages_(std::move(messages)) {}

  bool read(std::size_t max_records, std::uint64_t, RawChunk& chunk) override {
    ChunkBuilder builder(chunk);
    for (; chunk.records.size() < max_records && next_ < messages_.size(); ++next_) {
      if (!messages_[next_]) throw Failure(Exit::kIo, "cannot be read");
      RawRecord record;
      record.bytes = *messages_[next_];
      record.source.place = next_;
      record.ts_ms = 1000 + static_cast<std::int64_t>(next_);
      builder.add(record);
    }
    builder.seal();
    return !chunk.records.empty();
  }
  std::vector<std::pair<std::string, std::string>> positions() override {
    return {{std::string(kMetaPositions),
             encode_positions({{kLog, static_cast<std::int64_t>(next_)}})}};
  }

 private:
  std::vector<std::optional<std::string>> messages_;
  std::size_t next_ = 0;
};

class Uses : public NoProbe {
 public:
  void log_message_read(LogUse use) override { ++counts[use]; }
  std::map<LogUse, int> counts;
};

class LogSourceTest : public testing::Test {
 protected:
  std::string chunk(std::int64_t start, std::size_t records, bool traced = false) {
    SketchedBatch batch = random_.make(records);
    for (std::size_t i = 0; i < records; ++i)
      batch.records[i].source.place = static_cast<std::uint64_t>(start) + i;
    const auto traces =
        traced ? random_.traces(records) : std::vector<std::optional<TraceContext>>();
    const SourceRange range{{"docs", 3}, start, start + static_cast<std::int64_t>(records)};
    const auto chunks = encoder_.encode(range, batch, traces);
    EXPECT_EQ(chunks.size(), 1);
    for (std::size_t i = 0; i < records; ++i) {
      ids_.push_back(batch.records[i].id);
      traces_.push_back(traced ? traces[i] : std::nullopt);
    }
    return chunks.front().message;
  }

  LogSource source(std::vector<std::optional<std::string>> messages, LogState state = {}) {
    return {{rule_, kCluster, SimdLevel::kAuto, uses_, log_},
            std::make_unique<Messages>(std::move(messages)),
            std::move(state)};
  }

  // All that can be read, in one chunk each time.
  std::vector<std::size_t> read_all(LogSource& source, std::size_t most,
                                    std::uint64_t most_bytes = 1 << 30) {
    std::vector<std::size_t> sizes;
    RawChunk chunk;
    while (source.read(most, most_bytes, chunk)) {
      sizes.push_back(chunk.records.size());
      EXPECT_EQ(chunk.sketched->size(), chunk.records.size());
      for (std::size_t i = 0; i < chunk.records.size(); ++i) {
        const Record& record = chunk.sketched->records[i];
        EXPECT_EQ(record.id, ids_.at(read_));
        EXPECT_EQ(trace_context(chunk.records[i].headers), traces_.at(read_));
        EXPECT_EQ(chunk.records[i].source, record.source);
        ++read_;
      }
    }
    return sizes;
  }

  static std::pair<std::int64_t, LogState> place(LogSource& source) {
    const auto positions = source.positions();
    return {decode_positions(positions.at(0).second).value().front().offset,
            decode_log_state(positions.at(1).second).value()};
  }

  const Rule rule_;
  RandomBatch random_{rule_, 7};
  ChunkEncoder encoder_{rule_, kCluster};
  std::vector<std::string> ids_;
  std::vector<std::optional<TraceContext>> traces_;
  std::size_t read_ = 0;
  Uses uses_;
  std::string lines_;
  Log log_{{.level = LogLevel::kDebug},
           [this](std::string_view line) { lines_ += line; },
           std::chrono::system_clock::now};
};

TEST_F(LogSourceTest, ChunksOfTheLogAreJoined) {
  LogSource source = this->source({chunk(0, 100), chunk(100, 50, true), chunk(150, 200)});
  EXPECT_THAT(read_all(source, 150), ElementsAre(150, 200));
  const auto [offset, state] = place(source);
  EXPECT_EQ(offset, 3);
  EXPECT_EQ(state.next_seq, 351);
  EXPECT_EQ(state.positions, (Positions{{{"docs", 3}, 350}}));
  EXPECT_EQ(uses_.counts, (std::map<LogUse, int>{{LogUse::kCounted, 3}}));
}

TEST_F(LogSourceTest, RecordsAreTakenFromTheirPositionOn) {
  const std::string first = chunk(0, 10);
  ids_.erase(ids_.begin(), ids_.begin() + 4);
  traces_.erase(traces_.begin(), traces_.begin() + 4);
  LogSource source = this->source({first}, {{{{"docs", 3}, 4}}, 20, 0});
  EXPECT_THAT(read_all(source, 1000), ElementsAre(6));
  EXPECT_EQ(place(source).second.next_seq, 26);
}

TEST_F(LogSourceTest, WhatDoesNotCountIsPassedOverAndCounted) {
  const std::string first = chunk(0, 10);
  const std::string gap =
      ChunkEncoder(rule_, kCluster).encode({{"docs", 3}, 20, 30}, {})[0].message;
  Rule other;
  other.decision.threshold = 700'000;
  const std::string of_another =
      ChunkEncoder(other, kCluster).encode({{"docs", 3}, 10, 30}, {})[0].message;
  LogSource source = this->source({first, first, gap, of_another, "damaged",
                                   encode_placement("another", {.answering = {0}, .active = {0}}),
                                   encode_placement(kCluster, {.answering = {0}, .active = {0}}),
                                   encode_placement(kCluster, {.answering = {1}, .active = {1}})});
  EXPECT_THAT(read_all(source, 1000), ElementsAre(10));
  using enum LogUse;
  EXPECT_EQ(uses_.counts, (std::map<LogUse, int>{{kCounted, 2},
                                                 {kSeen, 1},
                                                 {kGap, 1},
                                                 {kVoidPlacement, 1},
                                                 {kOtherRule, 1},
                                                 {kOtherCluster, 1},
                                                 {kDamaged, 1}}));
  EXPECT_THAT(lines_, testing::HasSubstr("skipped: other_rule"));
  EXPECT_EQ(place(source).second.epoch, 1);
}

// Only the end of the log ends it.
TEST_F(LogSourceTest, MoreBytesThanAChunkHasArePassedOver) {
  const std::string first = chunk(0, 10);
  std::vector<std::optional<std::string>> messages(20, first);
  messages.insert(messages.begin() + 5, std::string(100'000, 'x'));
  messages.push_back(chunk(10, 10));
  LogSource source = this->source(std::move(messages));
  EXPECT_THAT(read_all(source, 1000, first.size()), ElementsAre(10, 10));
}

TEST_F(LogSourceTest, StopsBeforeAMessageOfANewerFormat) {
  std::string newer = chunk(10, 5);
  newer[0] = 2;
  newer.resize(newer.size() - 8);
  seal_log_message(newer);
  LogSource source = this->source({chunk(0, 10), newer, chunk(15, 5)});
  ids_.erase(ids_.begin(), ids_.begin() + 5);
  traces_.erase(traces_.begin(), traces_.begin() + 5);
  EXPECT_THROW(read_all(source, 1000), Failure);
  EXPECT_EQ(read_, 10);
  const auto [offset, state] = place(source);
  EXPECT_EQ(offset, 1);
  EXPECT_EQ(state.next_seq, 11);
}

TEST_F(LogSourceTest, RecordsBeforeAFailureAreHandedOut) {
  LogSource source = this->source({chunk(0, 10), std::nullopt});
  EXPECT_THROW(read_all(source, 1000), Failure);
  EXPECT_EQ(read_, 10);
  EXPECT_EQ(place(source).first, 1);
}

}  // namespace
}  // namespace neardup::TEST_FILE
