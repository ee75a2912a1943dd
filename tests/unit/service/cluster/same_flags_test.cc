// The flags of one process, and those of sketchers and a decider with the log between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gpu/backends.h"
#include "pipeline/prepare.h"
#include "pipeline/resolve.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/decided.h"
#include "service/cluster/log_order.h"
#include "service/cluster/placement.h"
#include "service/records/flag_writer.h"
#include "service/records/record_decoder.h"
#include "storage/memory_store.h"
#include "tests/unit/service/cluster/raw_chunk.h"

namespace neardup::TEST_FILE {
namespace {

constexpr const char* kCluster = "cluster";
const OutputOptions kAllFields{.fields = {"url", "text_bytes"}};

// JSON Lines of near and exact copies in two namespaces, with versions, deletes and mistakes.
class Lines {
 public:
  std::string next() {
    ++ts_;
    const auto roll = random_() % 20;
    if (roll == 0) return R"({"id":7,"text":"an id that is not a string"})";
    if (roll == 1) return fmt::format(R"({{"id":"d{}","delete":true}})", random_() % 90);
    return fmt::format(R"({{"id":"d{}","namespace":"{}","ts":{},"url":"https://{}","text":"{}"}})",
                       random_() % 90, random_() % 4 == 0 ? "ns" : "", 1000 * ts_ + 1, ts_,
                       roll == 2 ? "" : text(roll == 3 ? 3 : 60));
  }

 private:
  std::string text(std::size_t words) {
    const auto topic = random_() % 6;
    std::string text;
    for (std::size_t i = 0; i < words; ++i) {
      const auto word = random_() % 80 == 0 ? random_() % 1000 : 100 * topic + i;
      text += fmt::format("word{} ", word);
    }
    return text;
  }

  std::mt19937 random_{3};
  std::uint64_t ts_ = 1'700'000'000;
};

class Decider {
 public:
  explicit Decider(const Rule& rule)
      : resolver_(rule, {}, {},
                  rule.decision.verify == VerifyMode::kExact ? KeepTexts::kKept : KeepTexts::kNone,
                  *store_),
        writer_("rule", rule.decision.threshold,
                [](const SourcePosition& source, std::string& out) {
                  out += fmt::format("[{},{}]", source.input, source.place);
                }) {}

  void decide(const SketchedBatch& batch) {
    std::vector<Flag> flags;
    resolver_.resolve(batch, flags);
    for (const Flag& flag : flags) {
      ++statuses[static_cast<std::size_t>(flag.status)];
      writer_.append(flag, json);
    }
    WriteSet writes;
    resolver_.fill(writes);
    store_->commit(writes);
    resolver_.committed(writes);
  }

  std::string json;
  std::array<int, kStatuses> statuses{};

 private:
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  Resolver resolver_;
  FlagWriter writer_;
};

// What others write into the log beside sketchers.
class Strangers {
 public:
  explicit Strangers(const Rule& rule) : encoder_(rule, "another"), other_rule_(other(rule)) {}

  // What comes before message `at` of the log: messages of before and of later ones of the same
  // source (every second), damaged ones, and those of others. None may change a flag.
  std::vector<std::string> before(std::size_t at, const std::vector<EncodedChunk>& log) {
    std::vector<std::string> lies{"", "no message", std::string(1000, '\0'),
                                  encode_placement(kCluster, {7, {0}, {0}}),
                                  encode_decided(kCluster, {})};
    lies.push_back(log[random_() % (at + 1)].message);
    lies.back()[random_() % lies.back().size()] ^= 1;
    lies.push_back(log[at].message.substr(0, random_() % log[at].message.size()));
    lies.push_back(log[at].message + "x");
    if (at != 0) lies.push_back(log[random_() % at].message);
    if (at + 2 < log.size()) lies.push_back(log[at + 2].message);
    for (ChunkEncoder* encoder : {&encoder_, &other_rule_})
      lies.push_back(encoder->encode(log[at].range, {}).front().message);
    std::ranges::shuffle(lies, random_);
    return lies;
  }

 private:
  static ChunkEncoder other(Rule rule) {
    rule.decision.threshold = 900'000;
    return {rule, kCluster};
  }

  ChunkEncoder encoder_, other_rule_;
  std::mt19937 random_{5};
};

// The flags of a decider that reads the log.
std::string decided(const Rule& rule, const std::vector<EncodedChunk>& log, bool with_strangers) {
  LogDecoder decoder(rule, kCluster);
  LogOrder order;
  LogMessage message;
  Decider decider(rule);
  std::map<LogOutcome, int> outcomes;
  const auto take = [&](const std::string& bytes) {
    const LogTurn turn = order.take(decoder.decode(bytes, message), message);
    ++outcomes[turn.outcome];
    if (turn.outcome == LogOutcome::kChunk) decider.decide(message.chunk.batch);
  };
  Strangers strangers(rule);
  for (std::size_t at = 0; at < log.size(); ++at) {
    if (with_strangers) std::ranges::for_each(strangers.before(at, log), take);
    take(log[at].message);
  }
  EXPECT_EQ(outcomes[LogOutcome::kChunk], static_cast<int>(log.size()));
  // All but placements and newer formats.
  EXPECT_EQ(outcomes.size(), with_strangers ? 7U : 1U);
  return decider.json;
}

void expect_same_flags(const Rule& rule) {
  const auto backend = make_backend({BackendName::kCpu, {}, {}}, rule.plan);
  Preparer preparer(rule, SimdLevel::kAuto,
                    std::make_unique<RecordDecoder>(InputOptions(), rule.text, kAllFields),
                    *backend);
  ChunkEncoder encoder(rule, kCluster);
  Decider alone(rule);
  SketchedBatch batch;
  Lines lines;
  std::vector<EncodedChunk> log;
  std::array<std::uint64_t, 2> offsets{};
  for (std::uint32_t round = 0; round < 20; ++round) {
    const std::uint32_t input = round % 2;
    std::vector<std::string> some(1 + round * 7);
    for (std::string& line : some) line = lines.next();
    preparer.prepare(raw_chunk(some, {input, offsets[input]}), batch);
    const auto start = static_cast<std::int64_t>(offsets[input]);
    offsets[input] += some.size();
    alone.decide(batch);
    const SourceRange range{{"docs", static_cast<std::int32_t>(input)},
                            start,
                            static_cast<std::int64_t>(offsets[input])};
    std::ranges::move(encoder.encode(range, batch), std::back_inserter(log));
  }
  for (const int count : alone.statuses) EXPECT_GT(count, 0);
  ASSERT_EQ(log.size(), 20U);
  EXPECT_EQ(decided(rule, log, false), alone.json);
  EXPECT_EQ(decided(rule, log, true), alone.json) << "with what strangers write";
}

Rule small_rule() {
  Rule rule;
  rule.plan.bands = 16;
  rule.plan.rows = 7;
  return rule;
}

TEST(SameFlags, OfTheDefaults) { expect_same_flags(small_rule()); }

TEST(SameFlags, OfExactVerificationAgainstAll) {
  Rule rule = small_rule();
  rule.decision.verify = VerifyMode::kExact;
  rule.decision.against = Against::kAll;
  expect_same_flags(rule);
}

TEST(SameFlags, OfPermutationsWithRetention) {
  Rule rule = small_rule();
  rule.plan.sketch.family = SketchFamily::kMinhash;
  rule.plan.sketch.hash = MinhashHash::kPermutation;
  rule.plan.sketch.universe = 1 << 12;
  rule.retention.max_age_ms = 300'000;
  rule.retention.max_bytes = 40'000;
  expect_same_flags(rule);
}

}  // namespace
}  // namespace neardup::TEST_FILE
