#include "service/cluster/log_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "service/cluster/chunk_encoder.h"
#include "tests/unit/service/cluster/random_batch.h"

namespace neardup::TEST_FILE {
namespace {

const TopicPartition kDocs{"docs", 0};

LogMessage placement(std::uint64_t epoch) {
  LogMessage message;
  message.placement = {.epoch = epoch, .answering = {0}, .active = {0}};
  return message;
}

// Takes chunks whose records have nothing but an offset.
class LogOrderTest : public testing::Test {
 protected:
  LogTurn take(const SourceRange& range, const std::vector<std::uint64_t>& offsets,
               LogOutcome decoded = LogOutcome::kChunk) {
    message_ = {};
    message_.chunk.range = range;
    SketchedBatch& batch = message_.chunk.batch;
    batch = RandomBatch(rule_of(64, 8, 8, 4), 1).make(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) batch.records[i].source.place = offsets[i];
    return order_.take(decoded, message_);
  }
  LogTurn take_placement(std::uint64_t epoch) {
    LogMessage message = placement(epoch);
    return order_.take(LogOutcome::kPlacement, message);
  }
  // Of the records of the last chunk that count.
  std::vector<std::uint64_t> offsets() const {
    std::vector<std::uint64_t> offsets;
    for (const Record& record : message_.chunk.batch.records)
      offsets.push_back(record.source.place);
    return offsets;
  }

  LogOrder order_;
  LogMessage message_;
};

using Offsets = std::vector<std::uint64_t>;

LogTurn passed_over(LogOutcome outcome) { return {.outcome = outcome}; }
LogTurn counted(Seq first) { return {.outcome = LogOutcome::kChunk, .first = first}; }

TEST_F(LogOrderTest, RecordsAreCountedInTheOrderOfTheLog) {
  EXPECT_EQ(take({kDocs, 0, 3}, {0, 1, 2}), counted(1));
  EXPECT_EQ(take({{"docs", 1}, 0, 9}, {7}), counted(4));
  EXPECT_EQ(message_.chunk.batch.records[0].source.input, 1U);
  EXPECT_EQ(take({kDocs, 3, 5}, {3, 4}), counted(5));
  EXPECT_EQ(message_.chunk.batch.records[1].source.input, 0U);
  EXPECT_EQ(order_.state().next_seq, 7U);
  EXPECT_EQ(order_.state().positions, (Positions{{kDocs, 5}, {{"docs", 1}, 9}}));
}

TEST_F(LogOrderTest, WhatWasSeenIsPassedOverOrTrimmed) {
  take({kDocs, 0, 10}, {0, 4, 9});
  const LogState before = order_.state();
  EXPECT_EQ(take({kDocs, 0, 10}, {0, 4, 9}), passed_over(LogOutcome::kSeen));
  EXPECT_EQ(take({kDocs, 4, 5}, {4}), passed_over(LogOutcome::kSeen));
  EXPECT_EQ(order_.state(), before);
  EXPECT_EQ(take({kDocs, 4, 12}, {4, 9, 10, 11}), counted(4));
  EXPECT_EQ(offsets(), (Offsets{10, 11}));
  EXPECT_EQ(order_.state().next_seq, 6U);
}

TEST_F(LogOrderTest, ATrimmedChunkKeepsAllOfItsOtherRecords) {
  take({kDocs, 0, 10}, {});
  RandomBatch random(rule_of(100, 1, 3, 33), 4);
  const SketchedBatch whole = random.make(40, 0);
  const auto traces = random.traces(40);
  message_.chunk = {{kDocs, 0, 100'000}, whole, traces};
  order_.take(LogOutcome::kChunk, message_);
  const LogChunk& chunk = message_.chunk;
  ASSERT_GT(chunk.batch.size(), 0U);
  ASSERT_LT(chunk.batch.size(), 40U);
  const std::size_t dropped = 40 - chunk.batch.size();
  for (std::size_t i = 0; i < chunk.batch.size(); ++i) {
    expect_same(whole, dropped + i, chunk.batch, i, true);
    EXPECT_EQ(chunk.traces[i], traces[dropped + i]);
  }
}

TEST_F(LogOrderTest, OffsetsWithoutRecordsCountAsRead) {
  EXPECT_EQ(take({kDocs, 0, 10}, {}), counted(1));
  EXPECT_EQ(take({kDocs, 5, 20}, {6}), counted(1));
  EXPECT_EQ(offsets(), Offsets{});
  EXPECT_EQ(order_.state().positions, (Positions{{kDocs, 20}}));
  EXPECT_EQ(order_.state().next_seq, 1U);
}

TEST_F(LogOrderTest, NothingIsSkipped) {
  EXPECT_EQ(take({kDocs, 5, 10}, {5}), passed_over(LogOutcome::kGap));
  EXPECT_EQ(order_.state(), LogState{});
  EXPECT_EQ(take({kDocs, 0, 5}, {4}), counted(1));
  EXPECT_EQ(take({kDocs, 5, 10}, {5}), counted(2));
}

TEST_F(LogOrderTest, OneOfSeveralPlacementsFromTheSameHolds) {
  take({kDocs, 0, 3}, {0, 1, 2});
  EXPECT_EQ(take_placement(1), (LogTurn{.outcome = LogOutcome::kPlacement, .first = 4}));
  EXPECT_EQ(take_placement(1), passed_over(LogOutcome::kVoidPlacement));
  EXPECT_EQ(take_placement(3), passed_over(LogOutcome::kVoidPlacement));
  EXPECT_EQ(take_placement(2).outcome, LogOutcome::kPlacement);
  EXPECT_EQ(order_.state().epoch, 2U);
}

TEST_F(LogOrderTest, WhatTheDecoderRefusesChangesNothing) {
  for (const LogOutcome outcome : {LogOutcome::kOtherRule, LogOutcome::kOtherCluster,
                                   LogOutcome::kDamaged, LogOutcome::kNewerFormat}) {
    EXPECT_EQ(take({kDocs, 0, 3}, {0}, outcome), passed_over(outcome));
  }
  EXPECT_EQ(order_.state(), LogState{});
}

TEST(LogState, ComesBack) {
  for (const LogState& state :
       {LogState{}, LogState{{{kDocs, 0}, {{"x", 7}, 1'000'000'000'000}}, kMaxSeq, 300}}) {
    EXPECT_EQ(decode_log_state(encode_log_state(state)), state);
  }
}

TEST(LogState, AnythingElseIsNone) {
  const std::string good = encode_log_state({{{kDocs, 12}}, 700, 3});
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(decode_log_state(std::string_view(good).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_log_state(good + "x"));
  EXPECT_FALSE(decode_log_state(encode_log_state({{{kDocs, -1}}, 700, 3})));
  EXPECT_FALSE(decode_log_state(encode_log_state({{{kDocs, 12}}, 0, 3})));
  EXPECT_FALSE(decode_log_state(encode_log_state({{{kDocs, 12}}, kMaxSeq + 1, 3})));
}

// A log that sketchers write together: some read again, some live on after another has taken their
// partition over, some have another rule or cluster, and bytes are damaged on the way.
class Writers {
 public:
  explicit Writers(unsigned seed)
      : random_(seed),
        ours_(rule_, kCluster),
        other_rule_(rule_of(64, 8, 4, 8), kCluster),
        other_cluster_(rule_, "another"),
        decoder_(rule_, kCluster) {
    for (std::int32_t p = 0; p < 3; ++p) {
      sources_.push_back({{"docs", p}, RandomBatch(rule_, seed + p).make(120, random_() % 50)});
    }
  }

  // Until every record has counted.
  std::vector<std::string> write() {
    std::vector<std::string> log;
    LogOrder order;
    LogMessage message;
    while (!std::ranges::all_of(sources_,
                                [&](const Source& s) { return position(order, s) >= end(s); })) {
      log.push_back(next(order));
      order.take(decoder_.decode(log.back(), message), message);
    }
    return log;
  }

  struct Source {
    TopicPartition partition;
    SketchedBatch batch;
  };
  const std::vector<Source>& sources() const { return sources_; }
  const Rule& rule() const { return rule_; }

 private:
  static std::int64_t end(const Source& source) {
    return static_cast<std::int64_t>(source.batch.records.back().source.place) + 1;
  }
  static std::int64_t position(const LogOrder& order, const Source& source) {
    const Position* at = find(order.state().positions, source.partition);
    return at == nullptr ? 0 : at->offset;
  }

  // From where a sketcher reads: mostly from where the readers are, else from anywhere.
  std::string next(const LogOrder& order) {
    const Source& source = sources_[random_() % sources_.size()];
    std::int64_t start = position(order, source);
    if (random_() % 3 == 0) start = static_cast<std::int64_t>(random_()) % end(source);
    const std::int64_t stop = start + 1 + static_cast<std::int64_t>(random_() % 40);
    ChunkEncoder& encoder =
        random_() % 8 == 0 ? (random_() % 2 == 0 ? other_rule_ : other_cluster_) : ours_;
    if (random_() % 16 == 0) return encode_placement(kCluster, {random_() % 4, {0, 1}, {1}});
    std::string bytes =
        encoder.encode({source.partition, start, stop}, part(source, start, stop)).front().message;
    if (random_() % 10 == 0) bytes[random_() % bytes.size()] ^= 4;
    return bytes;
  }

  // The records of a source with an offset in [start, stop), without sketches.
  SketchedBatch part(const Source& source, std::int64_t start, std::int64_t stop) const {
    SketchedBatch part;
    for (std::size_t i = 0; i < source.batch.size(); ++i) {
      const auto offset = static_cast<std::int64_t>(source.batch.records[i].source.place);
      if (offset < start || offset >= stop) continue;
      part.records.push_back(source.batch.records[i]);
      part.content.push_back(source.batch.content[i]);
      part.tokens.push_back(source.batch.tokens[i]);
      part.text_bytes.push_back(source.batch.text_bytes[i]);
      part.texts.push({});
    }
    part.has_sketch.assign(part.size(), 0);
    return part;
  }

  Rule rule_ = rule_of(64, 8, 8, 4);
  std::mt19937 random_;
  ChunkEncoder ours_, other_rule_, other_cluster_;
  LogDecoder decoder_;
  std::vector<Source> sources_;
};

struct Counted {
  Seq seq;
  TopicPartition source;
  std::uint64_t offset;
  std::string id;
  bool operator==(const Counted&) const = default;
};

// What a reader counts that stops before each message with a chance of one in `restarts`, and goes
// on from its stored state.
std::vector<Counted> read(const std::vector<std::string>& log, const Rule& rule,
                          unsigned restarts) {
  std::vector<Counted> records;
  std::mt19937 random(restarts);
  LogOrder order;
  LogDecoder decoder(rule, kCluster);
  LogMessage message;
  for (const std::string& bytes : log) {
    if (restarts != 0 && random() % restarts == 0)
      order = LogOrder(decode_log_state(encode_log_state(order.state())).value());
    const LogTurn turn = order.take(decoder.decode(bytes, message), message);
    if (turn.outcome != LogOutcome::kChunk) continue;
    const SketchedBatch& batch = message.chunk.batch;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const SourcePosition& source = batch.records[i].source;
      records.push_back({turn.first + i, order.state().positions[source.input].partition,
                         source.place, batch.records[i].id});
    }
  }
  return records;
}

TEST(LogOrderProperty, EachRecordCountsOnceInItsOrderWhateverIsWritten) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Writers writers(seed);
    const std::vector<std::string> log = writers.write();
    const std::vector<Counted> records = read(log, writers.rule(), 0);
    for (std::size_t i = 0; i < records.size(); ++i) ASSERT_EQ(records[i].seq, i + 1);
    std::size_t total = 0;
    for (const auto& [partition, batch] : writers.sources()) {
      std::size_t next = 0;
      for (const Counted& record : records) {
        if (record.source != partition) continue;
        ASSERT_LT(next, batch.size());
        ASSERT_EQ(record.offset, batch.records[next].source.place);
        ASSERT_EQ(record.id, batch.records[next++].id);
      }
      EXPECT_EQ(next, batch.size());
      total += next;
    }
    EXPECT_EQ(records.size(), total);
    EXPECT_EQ(read(log, writers.rule(), 3), records);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
