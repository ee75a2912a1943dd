#include "service/kafka/cluster/resolver/resolving.h"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>

#include "pipeline/resolve.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/shard/shard.h"
#include "service/cluster/chunk_encoder.h"
#include "service/kafka/cluster/resolver/live_ages.h"
#include "service/kafka/message/flag_codec.h"
#include "storage/memory_store.h"
#include "tests/unit/service/cluster/random_batch.h"
#include "tests/unit/service/cluster/random_stream.h"
#include "tests/unit/service/kafka/no_probe.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kRecords = 150;
constexpr std::uint32_t kShards = 2;
constexpr std::uint32_t kWindow = 40;
constexpr FilterOptions kSmallCaches{true, 1 << 16, 1 << 12};

// The log of a cluster and what is decided of it, as messages.
struct Cluster {
  explicit Cluster(unsigned seed) : dice(seed), rule(random_rule(dice)) {
    ChunkEncoder encoder(rule, kCluster);
    std::vector<std::uint32_t> shards(kShards);
    std::iota(shards.begin(), shards.end(), 0u);
    log.push_back(encode_placement(kCluster, {.epoch = 1, .answering = shards, .active = shards}));
    std::int64_t ends[2] = {0, 0};
    for (const auto& batch : random_batches(rule, dice, kRecords)) {
      const auto partition = static_cast<std::int32_t>(dice.below(2));
      std::int64_t& end = ends[partition];
      for (Record& record : batch->records) record.source = {0, static_cast<std::uint64_t>(end++)};
      const auto start = end - static_cast<std::int64_t>(batch->size());
      for (auto& one : encoder.encode({{"docs", partition}, start, end}, *batch))
        log.push_back(std::move(one.message));
    }
    Decided first;
    first.rule = rule_fingerprint(rule_text(rule));
    first.chain = Chain().digits();
    decisions.push_back(encode_decided(kCluster, first));
  }

  Decided decided(std::size_t at) const {
    Decided decided;
    EXPECT_EQ(decode_decided(decisions[at], kCluster, decided), FrameOutcome::kOpened);
    return decided;
  }

  void read(UndecidedLog& undecided) const {
    for (auto at = static_cast<std::size_t>(undecided.offset()); at < log.size(); ++at)
      undecided.take(static_cast<std::int64_t>(at), 0, log[at]);
  }

  std::unique_ptr<Store> make_store() const {
    StorageOptions options;
    options.keep_texts = keep_texts();
    auto store = open_memory_store(options, OpenMode::kReadWrite);
    store->set_index(IndexEntryMaker(rule.plan));
    return store;
  }
  KeepTexts keep_texts() const {
    return rule.decision.verify == VerifyMode::kExact ? KeepTexts::kKept : KeepTexts::kNone;
  }

  Dice dice;
  Rule rule;
  std::vector<std::string> log;
  std::vector<std::string> decisions;
  mutable NoProbe probe;
  mutable Log lines{{.level = LogLevel::kError}, [](auto) {}, std::chrono::system_clock::now};
};

UndecidedLog begin_log(const Cluster& cluster, const Decided& decided) {
  Placement placement = first_placement();
  if (decided.log.epoch == 1)
    decode_placement(open_log_message(cluster.log[0], kCluster).body, placement);
  return {{cluster.rule, kCluster, SimdLevel::kAuto, cluster.probe, cluster.lines},
          {decided.offset, decided.log},
          placement};
}

class TestShard {
 public:
  TestShard(const Cluster& cluster, std::uint32_t number)
      : cluster_(cluster),
        number_(number),
        undecided_(begin_log(cluster, cluster.decided(0))),
        store_(cluster.make_store()),
        shard_(cluster.rule, 2, kSmallCaches, CpuOptions(), cluster.keep_texts(), *store_) {
    cluster.read(undecided_);
  }

  // Applies the next batch.
  void apply() {
    if (at_ == cluster_.decisions.size()) return;
    const Decided decided = cluster_.decided(at_++);
    std::span<const Effect> rest = decided.effects;
    while (!rest.empty()) {
      const UndecidedChunk& chunk = *undecided_.chunk_of(shard_.decided() + 1);
      const std::size_t from = shard_.decided() + 1 - chunk.first;
      const std::size_t count = std::min(rest.size(), chunk.batch.size() - from);
      shard_.apply(chunk.batch, from, rest.first(count),
                   [&](Seq seq) { return owner_of(undecided_.placement(seq), seq, 4) == number_; });
      rest = rest.subspan(count);
    }
    WriteSet writes;
    shard_.fill(decided.watermark, writes);
    store_->commit(writes);
    shard_.committed();
    if (decided.again) next_ = shard_.decided() + 1;
  }

  // The next answer; nothing: it waits for decisions.
  std::optional<std::string> answer() {
    next_ = std::max(next_, shard_.decided() + 1);
    const UndecidedChunk* chunk = undecided_.chunk_of(next_);
    if (chunk == nullptr || chunk->first > shard_.decided() + kWindow) return {};
    next_ = chunk->next();
    return AnswerCodec(cluster_.rule, kCluster)
        .encode({number_, shard_.answer(chunk->batch, chunk->first)});
  }

 private:
  const Cluster& cluster_;
  const std::uint32_t number_;
  UndecidedLog undecided_;
  std::unique_ptr<Store> store_;
  Shard shard_;
  std::size_t at_ = 0;
  Seq next_ = 1;
};

MergedResolver::Start start_of(const Cluster& cluster) {
  const Decided last = cluster.decided(cluster.decisions.size() - 1);
  MergedResolver::Start start{.place = {last.next, StreamTime(cluster.rule.retention.max_step_ms)},
                              .watermark = last.watermark};
  start.place.time.go_on(last.began_ms, last.stream_ms);
  LiveAges ages;
  for (std::size_t at = 0; at < cluster.decisions.size(); ++at) ages.add(cluster.decided(at));
  start.ages = ages.take(last.watermark);
  return start;
}

// One that leads from the last decided batch on. What it has not committed is lost with it.
class TestResolver {
 public:
  explicit TestResolver(Cluster& cluster, std::vector<Flag>& flags)
      : cluster_(cluster),
        flags_(flags),
        last_(cluster.decided(cluster.decisions.size() - 1)),
        undecided_(begin_log(cluster, last_)),
        book_(cluster.rule, kCluster, last_.next, kWindow),
        batches_({.cluster = kCluster,
                  .rule = {last_.rule, cluster.rule.decision.threshold},
                  .keeps_ages = needs_ages(cluster.rule.retention),
                  .next = last_.next,
                  .chain = last_.chain,
                  .log = {{"log", 0}, last_.offset},
                  .mark = {},
                  .leader = "leader"}),
        resolving_(cluster.rule, {}, start_of(cluster), undecided_, book_, batches_) {
    cluster.read(undecided_);
    commit(true);
  }

  void commit(bool again) {
    const auto batch = resolving_.take(again);
    cluster_.decisions.push_back(batch->stored.decided);
    for (const Flag& flag : batch->stored.flags) {
      EXPECT_EQ(batch->stored.inputs().at(flag.source.input).partition.topic, "docs");
      flags_.push_back(flag);
    }
  }

  void read(std::uint32_t shard, const std::string& answer) {
    book_.take(static_cast<std::int32_t>(shard), 0, answer);
  }

  // False: all records are decided.
  bool step() {
    switch (resolving_.decide({})) {
      case Resolving::Outcome::kDecided:
        stalled_ = 0;
        break;
      case Resolving::Outcome::kShortList:
        commit(true);
        break;
      case Resolving::Outcome::kNoAnswers:
        if (++stalled_ % 100 == 0) commit(true);
        break;
      case Resolving::Outcome::kNoRecord:
        commit(false);
        return false;
    }
    if (cluster_.dice.chance(0.1)) commit(false);
    return true;
  }

 private:
  Cluster& cluster_;
  std::vector<Flag>& flags_;
  const Decided last_;
  UndecidedLog undecided_;
  AnswerBook book_;
  ResolvedBatches batches_;
  Resolving resolving_;
  int stalled_ = 0;
};

std::vector<Flag> flags_of_one_process(const Cluster& cluster) {
  UndecidedLog undecided = begin_log(cluster, cluster.decided(0));
  cluster.read(undecided);
  const auto store = cluster.make_store();
  Resolver resolver(cluster.rule, {}, {}, cluster.keep_texts(), *store);
  std::vector<Flag> flags;
  for (Seq seq = 1; seq < undecided.next_seq(); seq = undecided.chunk_of(seq)->next()) {
    resolver.resolve(undecided.chunk_of(seq)->batch, flags);
    WriteSet writes;
    resolver.fill(writes);
    store->commit(writes);
    resolver.committed(writes);
  }
  return flags;
}

// A message of the topic of answers, and its partition.
struct Given {
  std::uint32_t partition = 0;
  std::string message;
};

// What strangers write into the topic of answers: those that a shard gave in another run over the
// same log, too early, too late and again; those of another shard or cluster; damaged ones, and
// messages that are none.
Given lie(Cluster& cluster, const std::vector<Given>& others) {
  Dice& dice = cluster.dice;
  Given given = others[dice.below(others.size())];
  std::string& message = given.message;
  switch (dice.below(10)) {
    case 0:
      message[dice.below(message.size())] ^= 4;
      break;
    case 1:
      message.resize(dice.below(message.size()));
      break;
    case 2:
      given.partition = (given.partition + 1) % kShards;
      break;
    case 3: {
      ShardAnswers answers;
      EXPECT_EQ(AnswerCodec(cluster.rule, kCluster).decode(message, answers),
                FrameOutcome::kOpened);
      message = AnswerCodec(cluster.rule, "another").encode(answers);
      break;
    }
    case 4:
      message = cluster.log[dice.below(cluster.log.size())];
      break;
    case 5:
      message = cluster.decisions.back();
      break;
    default:
      break;
  }
  return given;
}

// `answers` gets all that were given. `others`: what strangers lie with.
std::vector<Flag> flags_of(Cluster& cluster, std::vector<Given>& answers,
                           const std::vector<Given>& others = {}) {
  std::deque<TestShard> shards;
  for (std::uint32_t number = 0; number < kShards; ++number) shards.emplace_back(cluster, number);
  std::vector<Flag> flags;
  std::optional<TestResolver> resolver;
  do {
    if (!resolver || cluster.dice.chance(0.01)) resolver.emplace(cluster, flags);
    const auto number = static_cast<std::uint32_t>(cluster.dice.below(kShards));
    TestShard& shard = shards[number];
    if (cluster.dice.chance(0.6)) shard.apply();
    if (const auto answer = shard.answer()) {
      answers.push_back({number, *answer});
      resolver->read(number, *answer);
    }
    if (others.empty() || cluster.dice.chance(0.5)) continue;
    const Given lied = lie(cluster, others);
    resolver->read(lied.partition, lied.message);
  } while (resolver->step());
  return flags;
}

std::string encoded(const Flag& flag) {
  std::string bytes;
  encode_flag(flag, bytes);
  return bytes;
}

class ResolvingTest : public testing::TestWithParam<unsigned> {};

void expect_flags_of_one_process(const Cluster& cluster, const std::vector<Flag>& found) {
  const std::vector<Flag> wanted = flags_of_one_process(cluster);
  ASSERT_EQ(found.size(), wanted.size());
  Chain chain;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(encoded(found[i]), encoded(wanted[i])) << "record " << i + 1;
    chain.add(encoded(wanted[i]));
  }
  Seq next = 1;
  for (std::size_t at = 0; at < cluster.decisions.size(); ++at) {
    EXPECT_EQ(cluster.decided(at).first, next);
    next = cluster.decided(at).next;
  }
  const Decided last = cluster.decided(cluster.decisions.size() - 1);
  EXPECT_EQ(last.next, wanted.size() + 1);
  EXPECT_EQ(last.chain, chain.digits());
  EXPECT_EQ(last.offset, static_cast<std::int64_t>(cluster.log.size()));
}

// The cluster decides as one process does, wherever batches end and resolvers are replaced.
TEST_P(ResolvingTest, FlagsAreThoseOfOneProcess) {
  Cluster cluster(GetParam());
  std::vector<Given> answers;
  expect_flags_of_one_process(cluster, flags_of(cluster, answers));
}

TEST_P(ResolvingTest, FlagsAreThoseOfOneProcessWhateverIsAmongTheAnswers) {
  std::vector<Given> others, answers;
  Cluster other(GetParam());
  flags_of(other, others);
  Cluster cluster(GetParam());
  expect_flags_of_one_process(cluster, flags_of(cluster, answers, others));
}

INSTANTIATE_TEST_SUITE_P(Seeds, ResolvingTest, testing::Range(0u, 60u));

}  // namespace
}  // namespace neardup::TEST_FILE
