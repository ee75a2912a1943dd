#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "service/cluster/chunk_encoder.h"
#include "service/cluster/log_decoder.h"
#include "tests/unit/service/cluster/random_batch.h"

namespace neardup::TEST_FILE {
namespace {

const SourceRange kRange{{"docs", 3}, 100, 1'000'000};

struct NamedRule {
  std::string name;
  Rule rule;
};

std::vector<NamedRule> rules() {
  return {{"default", rule_of(256, 8, 16, 7)},
          {"odd", rule_of(100, 1, 3, 33)},
          {"wide", rule_of(16, 32, 4, 4)},
          {"permutation", permutation_rule()},
          {"exact", exact_rule()}};
}

// The message with its check made again.
std::string resealed(std::string message) {
  message.resize(message.size() - 8);
  seal_log_message(message);
  return message;
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// What a decoder of the same cluster makes of one message.
LogOutcome outcome_of(const Rule& rule, std::string_view bytes) {
  LogMessage message;
  return LogDecoder(rule, kCluster).decode(bytes, message);
}

SketchedBatch small_batch(const Rule& rule) { return RandomBatch(rule, 5).make(3, 100); }

TEST(ChunkCodec, RecordsComeBackUnderEachRule) {
  LogMessage message;  // never cleared
  for (const auto& [name, rule] : rules()) {
    SCOPED_TRACE(name);
    ChunkEncoder encoder(rule, kCluster);
    LogDecoder decoder(rule, kCluster);
    for (unsigned seed = 0; seed < 5; ++seed) {
      RandomBatch random(rule, seed);
      const SketchedBatch batch = random.make(300, 100);
      const auto traces = random.traces(300);
      std::size_t next = 0;
      for (const EncodedChunk& chunk : encoder.encode(kRange, batch, traces)) {
        ASSERT_EQ(decoder.decode(chunk.message, message), LogOutcome::kChunk);
        EXPECT_EQ(message.chunk.range, chunk.range);
        for (std::size_t i = 0; i < message.chunk.batch.size(); ++i, ++next) {
          expect_same(batch, next, message.chunk.batch, i, name == "exact");
          EXPECT_EQ(message.chunk.traces[i], traces[next]);
        }
      }
      EXPECT_EQ(next, 300U);
    }
  }
}

TEST(ChunkCodec, TextsTravelWhereTheyAreAskedFor) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const SketchedBatch batch = small_batch(rule);
  const auto chunks = ChunkEncoder(rule, kCluster, {.texts = true}).encode(kRange, batch);
  LogMessage message;
  ASSERT_EQ(LogDecoder(rule, kCluster).decode(chunks[0].message, message), LogOutcome::kChunk);
  for (std::size_t i = 0; i < 3; ++i) expect_same(batch, i, message.chunk.batch, i, true);
}

TEST(ChunkCodec, ARuleThatVerifiesExactlyTakesNoChunkWithoutTexts) {
  Rule rule = exact_rule();
  std::string message =
      ChunkEncoder(rule, kCluster).encode(kRange, SketchedBatch{}).front().message;
  EXPECT_EQ(outcome_of(rule, message), LogOutcome::kChunk);
  message[message.size() - 8 - 2] = 0;  // bits, before the number of records
  EXPECT_EQ(outcome_of(rule, resealed(message)), LogOutcome::kDamaged);
}

TEST(ChunkCodec, ChunksOfABatchCoverItsRangeWithoutGaps) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const SketchedBatch batch = RandomBatch(rule, 1).make(600, 100);
  const auto chunks = ChunkEncoder(rule, kCluster).encode(kRange, batch);
  EXPECT_GE(chunks.size(), 3U);
  std::int64_t position = kRange.start;
  for (const EncodedChunk& chunk : chunks) {
    EXPECT_EQ(chunk.range.source, kRange.source);
    EXPECT_EQ(chunk.range.start, position);
    EXPECT_GT(chunk.range.end, position);
    position = chunk.range.end;
  }
  EXPECT_EQ(position, kRange.end);
}

TEST(ChunkCodec, MessagesKeepToTheLimits) {
  const Rule rule = rule_of(256, 8, 16, 7);
  const SketchedBatch batch = RandomBatch(rule, 1).make(500, 100);
  ChunkEncoder encoder(rule, kCluster, {.texts = true, .records = 100, .bytes = 20'000});
  LogMessage message;
  std::size_t records = 0;
  for (const EncodedChunk& chunk : encoder.encode(kRange, batch)) {
    ASSERT_EQ(LogDecoder(rule, kCluster).decode(chunk.message, message), LogOutcome::kChunk);
    EXPECT_LE(chunk.message.size(), 20'000U);
    EXPECT_LE(message.chunk.batch.size(), 100U);
    EXPECT_GT(message.chunk.batch.size(), 5U);
    records += message.chunk.batch.size();
  }
  EXPECT_EQ(records, 500U);
}

// Documents with these numbers of bytes of text, which compresses well.
SketchedBatch texts_of(const Rule& rule, const std::vector<std::size_t>& sizes) {
  SketchedBatch batch;
  batch.rows.reset(rule.plan.shape(), sizes.size());
  for (const std::size_t size : sizes) {
    Record& record = batch.records.emplace_back();
    record.id = "id";
    record.has_id = true;
    record.source.place = 100 + batch.records.size();
    batch.content.push_back({size, 1});
    batch.tokens.push_back(1);
    batch.text_bytes.push_back(static_cast<std::uint32_t>(size));
    batch.has_sketch.push_back(0);
    batch.texts.push(std::string(size, 'a'));
  }
  return batch;
}

std::vector<std::size_t> records_of(const Rule& rule, const std::vector<EncodedChunk>& chunks) {
  std::vector<std::size_t> counts;
  LogMessage message;
  for (const EncodedChunk& chunk : chunks) {
    EXPECT_EQ(LogDecoder(rule, kCluster).decode(chunk.message, message), LogOutcome::kChunk);
    counts.push_back(message.chunk.batch.size());
  }
  return counts;
}

TEST(ChunkCodec, TextsOfAMessageHaveABoundUnlessThereIsOne) {
  const Rule rule = exact_rule();
  constexpr std::size_t kMany = kMostChunkTextBytes / 2;
  const SketchedBatch batch = texts_of(rule, {kMany, kMany, 1, 3 * kMany, 1, 1});
  EXPECT_EQ(records_of(rule, ChunkEncoder(rule, kCluster).encode(kRange, batch)),
            (std::vector<std::size_t>{2, 1, 1, 2}));
}

TEST(ChunkCodec, ARecordThatNoMessageCanHoldIsRejected) {
  const Rule rule = exact_rule();
  SketchedBatch batch = texts_of(rule, {10, 10, 10});
  std::string noise;
  for (std::mt19937 random(1); noise.size() < 3000;)
    noise += static_cast<char>('a' + random() % 26);
  batch.texts.clear();
  for (const std::string& text : {std::string(10, 'a'), noise, std::string(10, 'a')})
    batch.texts.push(text);
  batch.text_bytes[1] = 3000;
  batch.records[1].text_bytes = 3100;
  const auto chunks =
      ChunkEncoder(rule, kCluster, {.bytes = 2000, .message_bytes = 2000}).encode(kRange, batch);
  ASSERT_EQ(chunks.size(), 1U);
  LogMessage message;
  ASSERT_EQ(LogDecoder(rule, kCluster).decode(chunks[0].message, message), LogOutcome::kChunk);
  const Record& record = message.chunk.batch.records[1];
  ASSERT_EQ(chunks[0].too_large.size(), 1U);
  EXPECT_EQ(chunks[0].too_large[0].record, 1U);
  EXPECT_EQ(chunks[0].too_large[0].detail, record.detail);
  EXPECT_EQ(record.kind, RecordKind::kRejected);
  EXPECT_EQ(record.reason, RejectReason::kTextTooLarge);
  EXPECT_EQ(record.id, "id");
  EXPECT_EQ(record.text_bytes, 0U);
  EXPECT_NE(record.detail.find("max.message.bytes"), record.detail.npos);
  expect_same(batch, 2, message.chunk.batch, 2, true);
}

TEST(ChunkCodec, ARecordLargerThanOtherMessagesHasOneOfItsOwn) {
  const Rule rule = rule_of(256, 8, 16, 7);
  const SketchedBatch batch = texts_of(rule, {1, 1, 1});
  ChunkEncoder encoder(rule, kCluster, {.bytes = 1});
  EXPECT_EQ(records_of(rule, encoder.encode(kRange, batch)), (std::vector<std::size_t>{1, 1, 1}));
}

TEST(ChunkCodec, RecordsOfOneSourceAreTakenOutOfABatchOfSeveral) {
  const Rule rule = rule_of(64, 8, 8, 4);
  RandomBatch random(rule, 3);
  const SketchedBatch batch = random.make(300, 100);
  const auto traces = random.traces(300);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 1; i < 300; i += 1 + i % 3) places.push_back(i);
  LogMessage message;
  std::size_t next = 0;
  for (const EncodedChunk& chunk :
       ChunkEncoder(rule, kCluster, {.records = 20}).encode(kRange, batch, places, traces)) {
    ASSERT_EQ(LogDecoder(rule, kCluster).decode(chunk.message, message), LogOutcome::kChunk);
    for (std::size_t i = 0; i < message.chunk.batch.size(); ++i, ++next) {
      expect_same(batch, places[next], message.chunk.batch, i, false);
      EXPECT_EQ(message.chunk.traces[i], traces[places[next]]);
    }
  }
  EXPECT_EQ(next, places.size());
}

TEST(ChunkCodec, ARangeWithoutRecordsIsAMessage) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const auto chunks = ChunkEncoder(rule, kCluster).encode(kRange, SketchedBatch{});
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].range, kRange);
  EXPECT_EQ(records_of(rule, chunks), std::vector<std::size_t>{0});
}

TEST(ChunkCodec, ARecordTakesAtMost340Bytes) {
  const Rule rule = rule_of(256, 8, 16, 7);
  RandomBatch random(rule, 1);
  SketchedBatch batch = texts_of(rule, std::vector<std::size_t>(256, 9'000));
  for (std::size_t i = 0; i < 256; ++i) {
    batch.records[i].id = "0123456789abcdef";
    batch.records[i].ts_ms = 1'900'000'000'000;
    batch.tokens[i] = 1500;
    batch.has_sketch[i] = 1;
  }
  const auto chunks = ChunkEncoder(rule, kCluster).encode(kRange, batch);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_LE(chunks[0].message.size(), 256U * 340);
}

// A document, a rejected record and a delete.
EncodedChunk golden_chunk() {
  const Rule rule = rule_of(16, 8, 4, 4);
  SketchedBatch batch = texts_of(rule, {7, 0, 0});
  batch.rows.sketch(0)[0] = 0x0706050403020100;
  batch.rows.sketch(0)[1] = 0x0f0e0d0c0b0a0908;
  batch.has_sketch[0] = 1;
  batch.records[0].ts_ms = 1'700'000'000'000;
  batch.records[0].name_space = "ns";
  batch.records[0].url = "https://a";
  batch.records[0].text_bytes = 300;
  batch.records[1].kind = RecordKind::kRejected;
  batch.records[1].reason = RejectReason::kMissingText;
  batch.records[1].detail = "no text";
  batch.records[2].kind = RecordKind::kDelete;
  std::vector<std::optional<TraceContext>> traces(3);
  traces[2] = {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b"};
  return ChunkEncoder(rule, kCluster).encode(kRange, batch, traces).front();
}

TEST(ChunkCodec, TheBytesOfAMessageNeverChange) {
  const std::string expected =
      "01 01 24 32633564336630652d386339622d346135352d "  // version, kind, cluster
      "623163322d376636663537326135666365 "
      "10 31313932353237356562633430623665 "  // rule
      "04 646f6373 03 64 dc833d 00 03 "       // topic, partition, start, length, bits, records
      "3c 01 02 6964 02 6e73 "                // a document: bits, skipped, id, namespace
      "0068e5cf8b010000 0700000000000000 0100000000000000 01 07 00 "  // ts_ms to distinct_shingles
      "10 000102030405060708090a0b0c0d0e0f 09 68747470733a2f2f61 ac02 "  // sketch, url, size
      "02 00 02 6964 00 04 07 6e6f2074657874 "                           // rejected: reason, detail
      "41 00 02 6964 00 "                                                // a delete with a trace
      "37 30302d30616637363531393136636434336464383434386562323131 "
      "633830333139632d623761643662373136393230333333312d3031 03 613d62 "
      "21cf9edc08582720";  // check
  EXPECT_EQ(hex(golden_chunk().message), without_spaces(expected));
}

TEST(ChunkCodec, ADamagedMessageIsFound) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const std::string good =
      ChunkEncoder(rule, kCluster).encode(kRange, small_batch(rule)).front().message;
  LogDecoder decoder(rule, kCluster);
  LogMessage message;
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(decoder.decode(std::string_view(good).substr(0, size), message),
              LogOutcome::kDamaged);
  }
  EXPECT_EQ(decoder.decode(good + "x", message), LogOutcome::kDamaged);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    for (int bit = 1; bit < 256; bit *= 2) {
      bad[at] = static_cast<char>(good[at] ^ bit);
      EXPECT_EQ(decoder.decode(bad, message), LogOutcome::kDamaged) << at;
    }
  }
}

// With a right check: whoever wrote it, it is refused, or exactly what encoding writes.
TEST(ChunkCodec, AForgedMessageIsRefusedOrAMessage) {
  const Rule rule = rule_of(64, 8, 8, 4);
  RandomBatch random(rule, 5);
  const SketchedBatch batch = random.make(3, 100);
  const auto traces = random.traces(3);
  const std::string good =
      ChunkEncoder(rule, kCluster).encode(kRange, batch, traces).front().message;
  ChunkEncoder encoder(rule, kCluster);
  LogDecoder decoder(rule, kCluster);
  LogMessage message;
  std::size_t refused = 0;
  for (std::size_t at = 0; at + 8 < good.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      bad = resealed(bad);
      if (decoder.decode(bad, message) != LogOutcome::kChunk) {
        ++refused;
        continue;
      }
      const LogChunk& chunk = message.chunk;
      const auto again = encoder.encode(chunk.range, chunk.batch, chunk.traces);
      ASSERT_EQ(again.size(), 1U);
      EXPECT_EQ(again.front().message, bad);
    }
  }
  EXPECT_GT(refused, 10'000U);
}

// A message of one document with a sketch, changed before it is encoded.
LogOutcome outcome_with(const std::function<void(SourceRange&, SketchedBatch&)>& change) {
  const Rule rule = rule_of(64, 8, 8, 4);
  SourceRange range = kRange;
  SketchedBatch batch = texts_of(rule, {10});
  batch.has_sketch[0] = 1;
  change(range, batch);
  return outcome_of(rule, ChunkEncoder(rule, kCluster).encode(range, batch).front().message);
}

LogOutcome outcome_with_record(const std::function<void(Record&)>& change) {
  return outcome_with([&](SourceRange&, SketchedBatch& batch) { change(batch.records[0]); });
}

LogOutcome outcome_with_topic(const std::string& topic) {
  return outcome_with([&](SourceRange& range, SketchedBatch&) { range.source.topic = topic; });
}

TEST(ChunkCodec, ARecordThatNoDecoderMakesIsDamaged) {
  constexpr LogOutcome kDamaged = LogOutcome::kDamaged;
  EXPECT_EQ(outcome_with_record([](Record&) {}), LogOutcome::kChunk);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.id = ""; }), kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.id = "\xff"; }), kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.id.assign(kMaxIdBytes + 1, 'x'); }), kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.name_space = "\xff"; }), kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.name_space.assign(kMaxIdBytes + 1, 'x'); }),
            kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.url = "\xff"; }), kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.url.assign(kMaxUrlBytes + 1, 'x'); }), kDamaged);
  EXPECT_EQ(outcome_with_record([](Record& r) { r.kind = RecordKind::kRejected; }), kDamaged);
  EXPECT_EQ(outcome_with([](SourceRange&, SketchedBatch& batch) { batch.tokens[0] = 0; }),
            kDamaged);
  EXPECT_EQ(outcome_with([](SourceRange&, SketchedBatch& batch) {
              batch.rows.shape.slots = 32;  // half a sketch
            }),
            kDamaged);
}

TEST(ChunkCodec, ARangeThatNoSourceHasIsDamaged) {
  constexpr LogOutcome kDamaged = LogOutcome::kDamaged;
  EXPECT_EQ(outcome_with_topic(std::string(249, 'x')), LogOutcome::kChunk);
  EXPECT_EQ(outcome_with_topic(std::string(250, 'x')), kDamaged);
  EXPECT_EQ(outcome_with_topic(""), kDamaged);
  EXPECT_EQ(outcome_with_topic("two words"), kDamaged);
  EXPECT_EQ(outcome_with_topic("two\nlines"), kDamaged);
  const auto with_range = [](std::int32_t partition, std::int64_t start, std::int64_t end) {
    return outcome_with([&](SourceRange& range, SketchedBatch& batch) {
      range = {{"docs", partition}, start, end};
      batch.records[0].source.place = 101;
    });
  };
  EXPECT_EQ(with_range(3, 101, 102), LogOutcome::kChunk);
  EXPECT_EQ(with_range(3, 101, std::numeric_limits<std::int64_t>::max()), LogOutcome::kChunk);
  EXPECT_EQ(with_range(-1, 101, 102), kDamaged);
  EXPECT_EQ(with_range(3, -1, 102), kDamaged);
  EXPECT_EQ(with_range(3, 101, 101), kDamaged);
  EXPECT_EQ(with_range(3, 100, 101), kDamaged);  // the record is behind it
  EXPECT_EQ(with_range(3, 102, 103), kDamaged);  // the record is before it
}

TEST(ChunkCodec, AMessageWithTooManyRecordsIsDamaged) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const SketchedBatch batch = texts_of(rule, std::vector<std::size_t>(kMostChunkRecords + 1, 1));
  ChunkEncoder encoder(rule, kCluster, {.records = 1000});
  EXPECT_EQ(outcome_of(rule, encoder.encode(kRange, batch).front().message), LogOutcome::kDamaged);
}

TEST(ChunkCodec, ATraceThatNoHeaderHasIsDamaged) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const SketchedBatch batch = texts_of(rule, {1});
  const auto outcome_with_trace = [&](const std::string& parent, const std::string& state) {
    const std::vector<std::optional<TraceContext>> traces{TraceContext{parent, state}};
    return outcome_of(rule,
                      ChunkEncoder(rule, kCluster).encode(kRange, batch, traces).front().message);
  };
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  EXPECT_EQ(outcome_with_trace(parent, ""), LogOutcome::kChunk);
  EXPECT_EQ(outcome_with_trace(parent, "\n"), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_with_trace("00-", ""), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_with_trace("", ""), LogOutcome::kDamaged);
}

TEST(ChunkCodec, MessagesOfOthersAreTold) {
  const Rule rule = rule_of(64, 8, 8, 4);
  const Rule other = rule_of(64, 8, 4, 8);
  const SketchedBatch batch = small_batch(rule);
  const std::string good = ChunkEncoder(rule, kCluster).encode(kRange, batch).front().message;
  EXPECT_EQ(outcome_of(other, good), LogOutcome::kOtherRule);
  const std::string elsewhere = ChunkEncoder(rule, "other").encode(kRange, batch).front().message;
  EXPECT_EQ(outcome_of(rule, elsewhere), LogOutcome::kOtherCluster);
}

TEST(ChunkCodec, ANewerFormatIsToldFromDamage) {
  const Rule rule = rule_of(64, 8, 8, 4);
  std::string message =
      ChunkEncoder(rule, kCluster).encode(kRange, small_batch(rule)).front().message;
  message[0] = 2;
  EXPECT_EQ(outcome_of(rule, message), LogOutcome::kDamaged);
  EXPECT_EQ(outcome_of(rule, resealed(message)), LogOutcome::kNewerFormat);
  message[0] = 0;
  EXPECT_EQ(outcome_of(rule, resealed(message)), LogOutcome::kDamaged);
  message[0] = 1;
  message[1] = 3;  // a kind that version 1 does not have
  EXPECT_EQ(outcome_of(rule, resealed(message)), LogOutcome::kDamaged);
  std::string elsewhere =
      ChunkEncoder(rule, "other").encode(kRange, small_batch(rule)).front().message;
  elsewhere[0] = 2;
  EXPECT_EQ(outcome_of(rule, resealed(elsewhere)), LogOutcome::kOtherCluster);
}

TEST(ChunkCodec, ATextOfAnotherLengthIsDamaged) {
  const Rule rule = exact_rule();
  SketchedBatch batch = texts_of(rule, {10});
  batch.text_bytes[0] = 11;
  EXPECT_EQ(outcome_of(rule, ChunkEncoder(rule, kCluster).encode(kRange, batch).front().message),
            LogOutcome::kDamaged);
}

TEST(ChunkCodec, ATextLargerThanTheRuleAllowsIsDamaged) {
  Rule rule = exact_rule();
  const std::string message = ChunkEncoder(rule, kCluster)
                                  .encode(kRange, texts_of(rule, {std::size_t{3} << 20}))
                                  .front()
                                  .message;
  EXPECT_EQ(outcome_of(rule, message), LogOutcome::kChunk);
  rule.text.max_bytes = std::uint64_t{1} << 19;
  std::string shorter = message;
  const std::string from = rule_fingerprint(rule_text(exact_rule()));
  shorter.replace(shorter.find(from), from.size(), rule_fingerprint(rule_text(rule)));
  EXPECT_EQ(outcome_of(rule, resealed(shorter)), LogOutcome::kDamaged);
}

}  // namespace
}  // namespace neardup::TEST_FILE
