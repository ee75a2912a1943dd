// Whatever bytes come as a message of a cluster: its decoder refuses them, or they are a message.
// No number in them makes it take memory.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "service/cluster/answer_codec.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/decided.h"
#include "service/cluster/log_decoder.h"
#include "tests/unit/service/cluster/random_batch.h"
#include "tests/unit/service/cluster/some_answers.h"

namespace {

std::atomic<std::size_t> taken_bytes{0};  // by `new`, all in all

}  // namespace

// Sanitizers have operators of their own, and count nothing here: the release does.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NEARDUP_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NEARDUP_SANITIZED
#endif

#ifndef NEARDUP_SANITIZED
// Not inline: else GCC takes `free` for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  taken_bytes += size;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kCheckBytes = 8;
constexpr std::size_t kMostTaken = std::size_t{1} << 20;  // for a message of about 1 KB

std::string resealed(std::string_view message) {
  std::string sealed(message.substr(0, message.size() - kCheckBytes));
  seal_log_message(sealed);
  return sealed;
}

// A message of one kind, and its decoder: the encoding of what it makes of any bytes, or nothing.
struct Kind {
  std::string name;
  std::string good;
  std::function<std::optional<std::string>(const std::string&)> decode;
};

Kind chunk(const std::string& name, const Rule& rule) {
  RandomBatch random(rule, 5);
  const SketchedBatch batch = random.make(3, 100);
  const auto traces = random.traces(3);
  const auto encoder = std::make_shared<ChunkEncoder>(rule, kCluster);
  const auto decoder = std::make_shared<LogDecoder>(rule, kCluster);
  const auto message = std::make_shared<LogMessage>();
  return {name, encoder->encode({{"docs", 3}, 100, 1'000'000}, batch, traces).front().message,
          [=](const std::string& bytes) -> std::optional<std::string> {
            if (decoder->decode(bytes, *message) != LogOutcome::kChunk) return {};
            const LogChunk& chunk = message->chunk;
            return encoder->encode(chunk.range, chunk.batch, chunk.traces).front().message;
          }};
}

Kind placement() {
  return {"placement",
          encode_placement(kCluster, {.epoch = 300, .answering = {0, 1, 5, 63}, .active = {5, 1}}),
          [](const std::string& bytes) -> std::optional<std::string> {
            LogMessage message;
            if (LogDecoder(Rule(), kCluster).decode(bytes, message) != LogOutcome::kPlacement)
              return {};
            return encode_placement(kCluster, message.placement);
          }};
}

Kind decided() {
  Decided decided;
  decided.rule = "5f0c5f0c5f0c5f0c";
  decided.first = 900;
  decided.next = 909;
  decided.offset = 77;
  decided.log = {{{{"docs", 0}, 41}, {{"docs", 1}, 0}}, 905, 3};
  decided.stream_ms = 1'700'000'090'000;
  decided.watermark = 12;
  decided.chain = std::string(32, 'a');
  decided.effects.resize(9);
  decided.effects[3] = {.has_version = true, .has_document = true};
  decided.effects[4] = {.has_version = true, .ended = 903, .original = 77, .similarity = 812'000};
  decided.ages = {{903, 1'700'000'000'500, 10'000}, {904, 1'700'000'000'900, 0}};
  decided.placement = Placement{.epoch = 3, .answering = {0, 2}, .active = {2}};
  return {"decided", encode_decided(kCluster, decided),
          [](const std::string& bytes) -> std::optional<std::string> {
            Decided decoded;
            if (decode_decided(bytes, kCluster, decoded) != FrameOutcome::kOpened) return {};
            return encode_decided(kCluster, decoded);
          }};
}

Kind answers(const std::string& name, VerifyMode verify) {
  Rule rule = rule_of(16, 8, 12, 1);
  rule.decision.verify = verify;
  const auto codec = std::make_shared<AnswerCodec>(rule, kCluster);
  return {name, codec->encode(some_answers()),
          [codec](const std::string& bytes) -> std::optional<std::string> {
            ShardAnswers decoded;
            if (codec->decode(bytes, decoded) != FrameOutcome::kOpened) return {};
            return codec->encode(decoded);
          }};
}

std::vector<Kind> kinds() {
  return {chunk("chunk", rule_of(64, 8, 8, 4)),
          chunk("permutation", permutation_rule()),
          chunk("exact", exact_rule()),
          placement(),
          decided(),
          answers("answers", VerifyMode::kSketch),
          answers("exact_answers", VerifyMode::kExact)};
}

class Lies : public testing::TestWithParam<Kind> {
 protected:
  const std::string& good() const { return GetParam().good; }

  // Bytes with a right check: they are refused, or what encoding writes. A frame of zstd can say
  // the same in other bytes; then what it says comes back.
  void try_sealed(const std::string& bytes) {
    const auto again = GetParam().decode(bytes);
    if (!again) {
      ++refused_;
    } else if (*again != bytes) {
      EXPECT_EQ(GetParam().name, "exact") << "accepted, and no message";
      EXPECT_EQ(GetParam().decode(*again), again);
    }
  }
  void try_resealed(const std::string& bytes) {
    if (bytes.size() >= kCheckBytes) try_sealed(resealed(bytes));
  }

  std::size_t refused_ = 0;
};

TEST_P(Lies, AMessageComesBack) { EXPECT_EQ(GetParam().decode(good()), good()); }

TEST_P(Lies, ADamagedByteIsFound) {
  for (std::size_t at = 0; at < good().size(); ++at) {
    for (int bit = 1; bit < 256; bit *= 2) {
      std::string bad = good();
      bad[at] = static_cast<char>(bad[at] ^ bit);
      EXPECT_FALSE(GetParam().decode(bad)) << at;
      try_resealed(bad);
    }
  }
  EXPECT_GT(refused_, good().size());
}

TEST_P(Lies, AMessageThatWasCutOrIsTooLongIsFound) {
  for (std::size_t at = 0; at < good().size(); ++at) {
    EXPECT_FALSE(GetParam().decode(good().substr(0, at))) << at;
    EXPECT_FALSE(GetParam().decode(good().substr(at + 1))) << at;
    const std::string head = good().substr(0, at), tail = good().substr(at);
    try_resealed(head);
    try_resealed(tail);
    try_resealed(head + '\0' + tail);
    try_resealed(head + good() + tail);
    if (!tail.empty()) try_resealed(head + tail.substr(1));
  }
  EXPECT_FALSE(GetParam().decode(good() + '\0'));
  EXPECT_FALSE(GetParam().decode(good() + good()));
  EXPECT_GT(refused_, good().size());
}

// Behind the frame, and behind the fingerprint of the rule.
TEST_P(Lies, RandomBytesAreRefused) {
  std::mt19937 random(7);
  const std::size_t cluster = 2 + 1 + std::string_view(kCluster).size();
  for (const std::size_t kept : {std::size_t{0}, cluster, cluster + 17}) {
    for (int round = 0; round < 3'000; ++round) {
      std::string bytes = good().substr(0, kept);
      for (auto n = random() % 120; n > 0; --n) {
        bytes += static_cast<char>(random() % 4 == 0 ? random() : random() % 4);
      }
      try_sealed(resealed(bytes + std::string(kCheckBytes, '\0')));
    }
  }
  EXPECT_GT(refused_, 8'000U);
}

// At each place the largest numbers that a varint of some length can hold.
TEST_P(Lies, ANumberThatLiesTakesNoMemory) {
  const std::vector<std::string> numbers = {"\x7f",
                                            "\xff\x7f",
                                            "\xff\xff\x3f",
                                            "\xff\xff\xff\x7f",
                                            "\xff\xff\xff\xff\x0f",
                                            std::string(9, '\xff') + '\x01'};
  for (std::size_t at = 0; at + kCheckBytes < good().size(); ++at) {
    for (const std::string& number : numbers) {
      const std::string bad = resealed(good().substr(0, at) + number + good().substr(at + 1));
      const std::size_t before = taken_bytes;
      GetParam().decode(bad);
      EXPECT_LT(taken_bytes - before, kMostTaken) << "at " << at;
    }
  }
}

TEST_P(Lies, OthersThanItsOwnDecoderRefuseIt) {
  for (const Kind& other : kinds()) {
    if (other.name == GetParam().name) continue;
    EXPECT_FALSE(other.decode(good())) << other.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Lies, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param.name; });

// A batch of so many records is the largest that is decoded: the records have to be there.
TEST(LiesOfADecision, TheNumberOfItsRecordsTakesNoMemory) {
  Decided decided;
  decided.rule = std::string(16, 'a');
  decided.chain = std::string(32, 'a');
  decided.next = 5;
  decided.effects.resize(4);
  std::string message = encode_decided(kCluster, decided);
  const std::size_t next = message.find(decided.rule) + decided.rule.size() + 1;
  ASSERT_EQ(message[next], 5);
  message = resealed(message.replace(next, 1, "\x81\x80\x40"));  // 2^20 + 1
  const std::size_t before = taken_bytes;
  EXPECT_EQ(decode_decided(message, kCluster, decided), FrameOutcome::kDamaged);
  EXPECT_LT(taken_bytes - before, kMostTaken);
}

TEST(LiesOfAText, ItsSizeTakesNoMemory) {
  // 16 MiB, as the codec says it and as the frame does, which has no block.
  const std::string lie(
      "\x80\x80\x80\x08"
      "\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x01",
      13);
  TextCodec codec;
  const std::size_t before = taken_bytes;
  EXPECT_FALSE(codec.decode(lie, kMostChunkTextBytes));
  EXPECT_LT(taken_bytes - before, kMostTaken);
  const std::string most(kMostChunkTextBytes, 'a');
  EXPECT_EQ(codec.decode(codec.encode(most), kMostChunkTextBytes), most);
}

TEST(LiesOfAState, AChangedByteIsFoundOrAState) {
  const std::string good = encode_log_state({{{{"docs", 0}, 12}, {{"b", 7}, 0}}, 700, 3});
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      const auto state = decode_log_state(bad);
      EXPECT_EQ(state ? encode_log_state(*state) : bad, bad);
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
