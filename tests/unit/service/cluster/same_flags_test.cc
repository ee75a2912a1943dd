// The flags of one process, and those of sketchers and a decider with the log between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "gpu/backends.h"
#include "pipeline/prepare.h"
#include "pipeline/resolve.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/log_order.h"
#include "service/records/flag_writer.h"
#include "service/records/record_decoder.h"
#include "storage/memory_store.h"
#include "tests/unit/service/cluster/raw_chunk.h"

namespace neardup {
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

void expect_same_flags(const Rule& rule) {
  const auto backend = make_backend({BackendName::kCpu, {}, {}}, rule.plan);
  Preparer preparer(rule, SimdLevel::kAuto,
                    std::make_unique<RecordDecoder>(InputOptions(), rule.text, kAllFields),
                    *backend);
  ChunkEncoder encoder(rule, kCluster);
  LogDecoder decoder(rule, kCluster);
  LogOrder order;
  Decider alone(rule), behind_log(rule);
  SketchedBatch batch;
  LogMessage message;
  Lines lines;
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
    for (const EncodedChunk& chunk : encoder.encode(range, batch)) {
      order.take(decoder.decode(chunk.message, message), message);
      behind_log.decide(message.chunk.batch);
    }
  }
  EXPECT_EQ(behind_log.json, alone.json);
  for (const int count : alone.statuses) EXPECT_GT(count, 0);
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
}  // namespace neardup
