#include "service/kafka/cluster/shard/shard_work.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "pipeline/base/failure.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_keys.h"
#include "service/cluster/chunk_encoder.h"
#include "service/kafka/store/state_head.h"
#include "storage/memory_store.h"
#include "tests/unit/service/cluster/random_batch.h"
#include "tests/unit/service/kafka/no_probe.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::uint32_t kWindow = 20;
const TopicPartition kLog{"c.log", 0};

class Counted : public ShardProbe {
 public:
  void decisions_applied(const AppliedReport& report) override { records += report.records; }
  void chunk_answered(const AnsweredReport&) override {}
  void answering_failed() override {}
  std::uint64_t records = 0;
};

// A log of documents that differ, each of which is decided to be one of its own.
class ShardWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ = open_memory_store({}, OpenMode::kReadWrite);
    store_->set_index(IndexEntryMaker(rule_.plan));
  }

  void write(std::size_t records) {
    SketchedBatch batch = random_.make(records);
    for (std::size_t i = 0; i < records; ++i) {
      Record& record = batch.records[i];
      record.kind = RecordKind::kDocument;
      record.reason = {};
      record.id = "d" + std::to_string(next_ + i);
      record.name_space.clear();
      record.source.place = next_ + i;
    }
    const SourceRange range{
        {"docs", 0}, static_cast<std::int64_t>(next_), static_cast<std::int64_t>(next_ + records)};
    messages_.push_back(encoder_.encode(range, batch).front().message);
    next_ += records;
  }

  void place(const Placement& placement) {
    messages_.push_back(encode_placement(kCluster, placement));
  }

  // The shard from its state, as after a start.
  ShardWork& open(std::uint32_t number = 0) {
    work_.reset();
    identity_ = {kCluster, number, kLog, "layout\n"};
    auto place = read_shard_place(identity_, *store_);
    if (!place) {
      place =
          ShardPlace{.log = {}, .placement = first_placement(), .decisions = 0, .chain = chain()};
      WriteSet writes;
      put_shard_place(identity_, *place, writes);
      store_->commit(writes);
    }
    shard_ =
        std::make_unique<Shard>(rule_, 4, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_);
    undecided_.emplace(LogContext{rule_, kCluster, SimdLevel::kAuto, no_probe_, log_}, place->log,
                       place->placement);
    work_.emplace(identity_, *place, kWindow, *shard_, *store_, *undecided_, counted_);
    return *work_;
  }

  void read_log() {
    for (auto at = undecided_->offset(); at < static_cast<std::int64_t>(messages_.size()); ++at)
      undecided_->take(at, 0, messages_[static_cast<std::size_t>(at)]);
  }

  static std::string chain() { return std::string(32, '0'); }

  // Records up to `next`, as a resolver says it that has read the log so far.
  DecidedMessage decided(Seq next, bool again = false) {
    UndecidedLog reader({rule_, kCluster, SimdLevel::kAuto, no_probe_, log_}, {},
                        first_placement());
    for (std::size_t at = 0; at < messages_.size(); ++at)
      reader.take(static_cast<std::int64_t>(at), 0, messages_[at]);
    const LogPlace place = reader.place_of(next);
    DecidedMessage message;
    message.offset = decisions_++;
    Decided& decided = message.decided;
    decided.first = decided_to_;
    decided.next = next;
    decided.offset = place.offset;
    decided.log = place.state;
    decided.chain = chain();
    decided.again = again;
    decided.effects.assign(next - decided_to_, {.has_version = true, .has_document = true});
    decided_to_ = next;
    return message;
  }

  bool keeps(Seq seq) {
    const std::vector<IdKey> keys{{"", "d" + std::to_string(seq - 1)}};
    std::vector<std::optional<IdRow>> rows;
    store_->ids(keys, rows);
    return rows.front().has_value();
  }

  const Rule rule_;
  RandomBatch random_{rule_, 5};
  ChunkEncoder encoder_{rule_, kCluster};
  NoProbe no_probe_;
  Counted counted_;
  Log log_{{.level = LogLevel::kError}, [](std::string_view) {}, std::chrono::system_clock::now};
  std::vector<std::string> messages_;
  Seq next_ = 0;  // of the source
  Seq decided_to_ = 1;
  std::int64_t decisions_ = 0;
  std::unique_ptr<Store> store_;
  ShardIdentity identity_;
  std::unique_ptr<Shard> shard_;
  std::optional<UndecidedLog> undecided_;
  std::optional<ShardWork> work_;
};

TEST_F(ShardWorkTest, AnswersEachChunkOnceWithinTheWindow) {
  ShardWork& work = open();
  for (int i = 0; i < 4; ++i) write(10);
  read_log();
  for (const Seq first : {1, 11}) {
    const auto answer = work.answer();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->first, first);
    EXPECT_EQ(answer->as_of, 0);
    EXPECT_EQ(answer->records.size(), 10);
  }
  EXPECT_FALSE(work.answer());  // record 21 is more than the window behind record 0
  work.add(decided(5));
  EXPECT_TRUE(work.apply());
  const auto answer = work.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->first, 21);
  EXPECT_EQ(answer->as_of, 4);
}

TEST_F(ShardWorkTest, AnswersAnewFromTheFirstRecordThatIsNotDecided) {
  ShardWork& work = open();
  write(10);
  write(10);
  read_log();
  while (work.answer()) continue;
  work.add(decided(5, true));
  EXPECT_TRUE(work.apply());
  EXPECT_EQ(work.answer()->first, 1);  // the chunk of record 5
  EXPECT_EQ(work.answer()->first, 11);
  EXPECT_FALSE(work.answer());
}

TEST_F(ShardWorkTest, AppliesABatchOnceItsRecordsAreThere) {
  ShardWork& work = open();
  write(10);
  write(10);
  work.add(decided(16));
  EXPECT_FALSE(work.apply());
  EXPECT_GE(work.wanted(), 16);
  EXPECT_EQ(work.behind(), 15);
  read_log();
  EXPECT_TRUE(work.apply());
  EXPECT_EQ(work.behind(), 0);
  EXPECT_EQ(counted_.records, 15);
  EXPECT_TRUE(keeps(15));
  EXPECT_FALSE(keeps(16));
}

TEST_F(ShardWorkTest, KeepsItsOwnBlocksAndAnswersFromItsPlacementOn) {
  ShardWork& work = open(3);
  write(10);
  place({.epoch = 1, .answering = {0, 3}, .active = {3}});
  write(10);
  read_log();
  EXPECT_EQ(work.answer()->first, 11);
  work.add(decided(21));
  EXPECT_TRUE(work.apply());
  EXPECT_FALSE(keeps(10));
  EXPECT_TRUE(keeps(11));
  EXPECT_EQ(work.place().placement.epoch, 1);
}

TEST_F(ShardWorkTest, EndsWhenItIsTakenAwayWithDocuments) {
  write(10);
  place({.epoch = 1, .answering = {3}, .active = {3}});
  write(10);
  const DecidedMessage before = decided(11);
  const DecidedMessage without = decided(21);
  open().add(before);
  work_->add(without);
  read_log();
  EXPECT_THROW(work_->apply(), Failure);  // with documents that are not stored yet

  open().add(before);
  read_log();
  EXPECT_TRUE(work_->apply());
  for (int i = 0; i < 2; ++i) {
    open().add(without);
    read_log();
    EXPECT_THROW(work_->apply(), Failure);
  }
  EXPECT_TRUE(keeps(10));
}

TEST_F(ShardWorkTest, MayComeBackWithoutDocuments) {
  ShardWork& work = open(3);
  for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) {
    const bool asked = epoch != 2;
    place({.epoch = epoch,
           .answering = asked ? std::vector<std::uint32_t>{0, 3} : std::vector<std::uint32_t>{0},
           .active = {epoch == 3 ? 3u : 0u}});
    write(10);
  }
  read_log();
  work.add(decided(31));
  EXPECT_TRUE(work.apply());
  EXPECT_FALSE(keeps(20));
  EXPECT_TRUE(keeps(21));
}

TEST_F(ShardWorkTest, GoesOnWhereItsStateStands) {
  for (int i = 0; i < 9; ++i) write(7);
  place({.epoch = 1, .answering = {0}, .active = {0}});
  for (int i = 0; i < 9; ++i) write(7);
  for (Seq next = 1; next <= 126; next += 12) {
    ShardWork& work = open();
    EXPECT_EQ(work.place().next, decided_to_);
    work.add(decided(next));
    read_log();
    EXPECT_TRUE(work.apply());
    EXPECT_EQ(work.place().placement.epoch, work.place().log.state.epoch);
    const auto answer = work.answer();
    ASSERT_TRUE(answer);
    EXPECT_LE(answer->first, next);
    EXPECT_GT(answer->first + answer->records.size(), next);
  }
  for (Seq seq = 1; seq < decided_to_; ++seq) EXPECT_TRUE(keeps(seq)) << seq;
}

TEST_F(ShardWorkTest, RefusesWhatIsMissingOrWithoutEffects) {
  ShardWork& work = open();
  write(10);
  read_log();
  decided(3);
  EXPECT_THROW(work.add(decided(5)), Failure);
  decided_to_ = 1;
  DecidedMessage message = decided(5);
  message.decided.effects.clear();
  EXPECT_THROW(work.add(message), Failure);
}

TEST_F(ShardWorkTest, RefusesADecisionThatComesTwiceOrTooEarly) {
  ShardWork& work = open();
  write(10);
  read_log();
  const DecidedMessage one = decided(3), two = decided(5), three = decided(8);
  const auto refusal = [&](const DecidedMessage& message) -> std::string {
    try {
      work.add(message);
    } catch (const Failure& refused) {
      return refused.exit() == Exit::kUnavailable ? refused.what() : "";
    }
    return "";
  };
  work.add(one);
  work.add(two);
  EXPECT_NE(refusal(one).find("at offset 0 begins with record 1, and the one before it ends before "
                              "record 5"),
            std::string::npos);
  EXPECT_NE(refusal(two).find("another program has written to the topic"), std::string::npos);
  work.add(three);
  EXPECT_TRUE(work.apply());
  EXPECT_EQ(refusal(one).empty(), false);
  for (Seq seq = 1; seq < 8; ++seq) EXPECT_TRUE(keeps(seq)) << seq;
}

TEST_F(ShardWorkTest, AStateIsOfOneShardOfOneCluster) {
  open(3);
  const auto failure = [&](const ShardIdentity& identity) -> std::string {
    try {
      read_shard_place(identity, *store_);
    } catch (const Failure& refused) {
      return refused.exit() == Exit::kConfig ? refused.what() : "";
    }
    return "";
  };
  EXPECT_TRUE(read_shard_place(identity_, *store_));
  EXPECT_NE(failure({kCluster, 4, kLog, "layout\n"}).find("is of shard 3"), std::string::npos);
  EXPECT_NE(failure({"another", 3, kLog, "layout\n"}).find("another"), std::string::npos);
  EXPECT_NE(failure({kCluster, 3, kLog, "other\n"}).find("other"), std::string::npos);
}

TEST_F(ShardWorkTest, OnlyShardZeroTakesAStateThatHasAllDocuments) {
  EXPECT_TRUE(is_new_state(*store_));
  WriteSet writes;
  writes.meta.emplace_back(kMetaMark, encode_mark({kCluster, 2, chain(), 9}));
  writes.meta.emplace_back(kMetaPositions, encode_positions({{kLog, 4}}));
  store_->commit(writes);
  EXPECT_FALSE(is_new_state(*store_));
  EXPECT_FALSE(read_shard_place({kCluster, 0, kLog, ""}, *store_));
  EXPECT_EQ(require_adoptable({kCluster, 0, kLog, ""}, *store_).next_seq, 9);
  EXPECT_THROW(require_adoptable({kCluster, 1, kLog, ""}, *store_), Failure);
  EXPECT_THROW(require_adoptable({"another", 0, kLog, ""}, *store_), Failure);
}

}  // namespace
}  // namespace neardup::TEST_FILE
