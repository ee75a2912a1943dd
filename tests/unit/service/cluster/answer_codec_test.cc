#include "service/cluster/answer_codec.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "service/cluster/decided.h"
#include "tests/unit/service/cluster/some_answers.h"

namespace neardup::TEST_FILE {
namespace {

constexpr const char* kCluster = "cluster";

Rule small_rule(VerifyMode verify = VerifyMode::kSketch) {
  Rule rule;
  rule.plan.sketch.size = 16;
  rule.plan.bands = 12;
  rule.plan.rows = 1;
  rule.decision.verify = verify;
  return rule;
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

TEST(AnswerCodec, AnswersComeBack) {
  const AnswerCodec codec(small_rule(), kCluster);
  const std::string message = codec.encode(some_answers());
  ShardAnswers back;
  ASSERT_EQ(codec.decode(message, back), FrameOutcome::kOpened);
  EXPECT_EQ(back.shard, 3u);
  EXPECT_EQ(back.answer.first, 900u);
  EXPECT_EQ(back.answer.as_of, 800u);
  EXPECT_EQ(back.answer.documents, some_answers().answer.documents);
  EXPECT_EQ(back.answer.lists, some_answers().answer.lists);
  ASSERT_EQ(back.answer.records.size(), 20u);
  const RecordAnswer& record = back.answer.records[7];
  EXPECT_EQ(record.same, some_answers().answer.records[7].same);
  EXPECT_TRUE(record.more_same);
  EXPECT_EQ(record.bands, some_answers().answer.records[7].bands);
  EXPECT_EQ(record.nominees, some_answers().answer.records[7].nominees);
  EXPECT_EQ(back.answer.records[19].version->row.original, 5u);
  EXPECT_EQ(back.answer.records[19].version->similarity, 812'000u);
  EXPECT_EQ(codec.encode(back), message);
  EXPECT_EQ(back.answer.records.told().size(), 2u);
  EXPECT_FALSE(back.answer.records[0].version);
  EXPECT_TRUE(back.answer.records[0].bands.empty());
}

// By the grammar in answer_codec.h.
TEST(AnswerCodec, TheBytesOfAMessageNeverChange) {
  const std::string expected =
      "03 8407 a006 14 "                              // shard, first, as_of, records
      "03 64 0161 00 a505 0162 11 00 0163 00 "        // documents
      "02 07 9b06 01 b605 02 00 "                     // lists
      "02 07 1e 02 01 00 "                            // a record: skipped, bits, same
      "02 01 0101 00 0808 02 02 02 0e 00 01 0d "      // its bands and nominees
      "0b 01 07 a505 0900000000000000 "               // another one: its version, to time_ms
      "0000000000000000 0000000000000000 05 a0f736 "  // content, original, similarity
      "904e e0c731";                                  // text_bytes, similarity to the record
  EXPECT_THAT(hex(AnswerCodec(small_rule(), kCluster).encode(some_answers())),
              testing::HasSubstr(without_spaces(expected)));
}

TEST(AnswerCodec, ADamagedMessageIsFound) {
  const AnswerCodec codec(small_rule(), kCluster);
  const std::string good = codec.encode(some_answers());
  ShardAnswers back;
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_EQ(codec.decode(std::string_view(good).substr(0, at), back), FrameOutcome::kDamaged);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    EXPECT_EQ(codec.decode(bad, back), FrameOutcome::kDamaged);
  }
}

TEST(AnswerCodec, PlacesAndSeqsThatCannotBeAreRefused) {
  const AnswerCodec codec(small_rule(), kCluster);
  const auto with = [&](auto change) {
    ShardAnswers answers = some_answers();
    change(answers);
    ShardAnswers back;
    return codec.decode(codec.encode(answers), back);
  };
  const auto record = [](ShardAnswers& answers) -> RecordAnswer& {
    return answers.answer.records.add(7);
  };
  EXPECT_EQ(with([](auto& a) { a.shard = 64; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](auto& a) { a.answer.first = 0; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](auto& a) { a.answer.documents[0].seq = 801; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](auto& a) { a.answer.documents[0].id.clear(); }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](auto& a) { a.answer.lists[0].seqs[1] = 5; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([](auto& a) { a.answer.records.reset(300); }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).same = {0, 1}; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).same = {3}; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).bands[0].list = 2; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).bands[3].band = 12; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).nominees[0].document = 3; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).nominees[0].bands_hit = 13; }), FrameOutcome::kDamaged);
  EXPECT_EQ(with([&](auto& a) { record(a).nominees[0].score.equal = 17; }), FrameOutcome::kDamaged);
}

TEST(AnswerCodec, OtherClustersRulesAndMessagesAreNone) {
  const AnswerCodec codec(small_rule(), kCluster);
  const std::string message = codec.encode(some_answers());
  ShardAnswers back;
  EXPECT_EQ(AnswerCodec(small_rule(), "other").decode(message, back), FrameOutcome::kOtherCluster);
  EXPECT_EQ(AnswerCodec(small_rule(VerifyMode::kExact), kCluster).decode(message, back),
            FrameOutcome::kOtherCluster);
  EXPECT_EQ(codec.decode(encode_decided(kCluster, Decided{}), back), FrameOutcome::kDamaged);
  EXPECT_EQ(open_log_message(message, kCluster).outcome, LogOutcome::kDamaged);
}

}  // namespace
}  // namespace neardup::TEST_FILE
