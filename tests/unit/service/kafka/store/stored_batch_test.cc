#include "service/kafka/store/stored_batch.h"

#include <gtest/gtest.h>

#include "tests/unit/service/kafka/flag_support.h"

namespace neardup::TEST_FILE {
namespace {

CommitMetadata mark(std::uint64_t batch, Seq next_seq) {
  return {"state", batch, "00112233445566778899aabbccddeeff", next_seq};
}

StoredBatch some_batch() {
  StoredBatch batch;
  batch.rule = {"0123456789abcdef", 800'000};
  batch.before = mark(4, 90);
  batch.after = mark(5, 400);
  batch.from = {{{"docs", 0}, 10}};
  batch.to = {{{"docs", 0}, 20}, {{"docs", 1}, 0}};
  batch.flags = flags_of_all_kinds();
  return batch;
}

StoredBatch traced_batch() {
  StoredBatch batch = some_batch();
  batch.traces.resize(batch.flags.size());
  batch.traces[1] = {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", ""};
  batch.traces[4] = {"01-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-00-later", "a=1,b=2"};
  return batch;
}

StoredBatch with_urls(StoredBatch batch) {
  batch.flags[0].url = "http://x/a";
  batch.flags[3].url = "http://x/" + std::string(8000, 'b');
  return batch;
}

StoredBatch with_text_bytes(StoredBatch batch) {
  batch.flags[1].text_bytes = 1;
  batch.flags[3].text_bytes = 10'000'000;
  return batch;
}

std::vector<std::uint64_t> text_bytes_of(const StoredBatch& batch) {
  std::vector<std::uint64_t> lengths;
  for (const Flag& flag : batch.flags) lengths.push_back(flag.text_bytes);
  return lengths;
}

std::vector<std::string> urls_of(const StoredBatch& batch) {
  std::vector<std::string> urls;
  for (const Flag& flag : batch.flags) urls.push_back(flag.url);
  return urls;
}

std::string all_encoded(const std::vector<Flag>& flags) {
  std::string bytes;
  for (const Flag& flag : flags) encode_flag(flag, bytes);
  return bytes;
}

std::string bytes_of(const StoredBatch& batch) {
  return encode_batch(batch, all_encoded(batch.flags));
}

TEST(StoredBatch, ComesBack) {
  const StoredBatch batch = some_batch();
  const auto back = decode_batch(bytes_of(batch));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->rule, batch.rule);
  EXPECT_EQ(back->before, batch.before);
  EXPECT_EQ(back->after, batch.after);
  EXPECT_EQ(back->from, batch.from);
  EXPECT_EQ(back->to, batch.to);
  EXPECT_EQ(all_encoded(back->flags), all_encoded(batch.flags));
}

TEST(StoredBatch, TheFirstOneComesBack) {
  StoredBatch batch;
  batch.after = mark(0, 1);
  batch.to = {{{"docs", 0}, 0}};
  const auto back = decode_batch(bytes_of(batch));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->before, std::nullopt);
  EXPECT_EQ(back->after, batch.after);
  EXPECT_EQ(back->to, batch.to);
  EXPECT_TRUE(back->from.empty() && back->flags.empty());
}

TEST(StoredBatch, OfManyFlagsIsSmallerThanThey) {
  StoredBatch batch = some_batch();
  batch.flags.clear();
  for (Seq seq = 1; seq <= 5000; ++seq) batch.flags.push_back(test_flag(seq));
  const std::string flags = all_encoded(batch.flags);
  const std::string bytes = encode_batch(batch, flags);
  EXPECT_LT(bytes.size(), flags.size() / 2);
  EXPECT_EQ(decode_batch(bytes)->flags.size(), 5000);
}

TEST(StoredBatch, TracesComeBack) {
  const StoredBatch batch = traced_batch();
  const auto back = decode_batch(bytes_of(batch));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->traces, batch.traces);
  EXPECT_EQ(back->trace_of(0), nullptr);
  EXPECT_EQ(back->trace_of(4)->tracestate, "a=1,b=2");
  EXPECT_EQ(all_encoded(back->flags), all_encoded(batch.flags));
}

// What was stored before there were traces, and by whom no traces are sent.
TEST(StoredBatch, WithoutTracesItIsOfTheOlderVersion) {
  EXPECT_EQ(bytes_of(some_batch())[0], 2);
  EXPECT_EQ(bytes_of(traced_batch())[0], 3);
  EXPECT_EQ(decode_batch(bytes_of(some_batch()))->trace_of(1), nullptr);
}

TEST(StoredBatch, TracesThatWereNeverWrittenAreRefused) {
  StoredBatch batch = traced_batch();
  batch.traces[1]->traceparent[0] = 'x';
  EXPECT_FALSE(decode_batch(bytes_of(batch)));
  batch = traced_batch();
  batch.traces[4]->tracestate = std::string(513, 'x');
  EXPECT_FALSE(decode_batch(bytes_of(batch)));
  batch = traced_batch();
  batch.traces.pop_back();
  EXPECT_FALSE(decode_batch(bytes_of(batch)));
  batch.traces.assign(batch.flags.size(), std::nullopt);
  EXPECT_FALSE(decode_batch(bytes_of(batch)));
}

TEST(StoredBatch, UrlsComeBackWithTracesAndWithout) {
  for (const StoredBatch& batch : {with_urls(some_batch()), with_urls(traced_batch())}) {
    const std::string bytes = bytes_of(batch);
    EXPECT_EQ(bytes[0], 4);
    const auto back = decode_batch(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(urls_of(*back), urls_of(batch));
    EXPECT_EQ(back->traces, batch.traces);
    EXPECT_EQ(all_encoded(back->flags), all_encoded(some_batch().flags));
  }
}

TEST(StoredBatch, LengthsOfTextsComeBackWithUrlsAndTracesAndWithout) {
  for (const StoredBatch& batch :
       {with_text_bytes(some_batch()), with_text_bytes(traced_batch()),
        with_text_bytes(with_urls(some_batch())), with_text_bytes(with_urls(traced_batch()))}) {
    const std::string bytes = bytes_of(batch);
    EXPECT_EQ(bytes[0], 5);
    const auto back = decode_batch(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(text_bytes_of(*back), text_bytes_of(batch));
    EXPECT_EQ(urls_of(*back), urls_of(batch));
    EXPECT_EQ(back->traces, batch.traces);
  }
}

TEST(StoredBatch, WhatItSaysOfTheLogComesBackWithTheRestAndWithout) {
  for (StoredBatch batch : {some_batch(), traced_batch()}) {
    batch.sources = {{{"docs", 3}, 41}};
    batch.decided = std::string("a\0b", 3);
    const std::string bytes = bytes_of(batch);
    EXPECT_EQ(bytes[0], 6);
    const auto back = decode_batch(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->sources, batch.sources);
    EXPECT_EQ(back->decided, batch.decided);
    EXPECT_EQ(back->inputs(), batch.sources);
    EXPECT_EQ(back->traces, batch.traces);
  }
  EXPECT_EQ(some_batch().inputs(), some_batch().to);
}

// As it was written before there were traces.
TEST(StoredBatch, AnOlderOneIsRead) {
  constexpr std::string_view kDigits =
      "02103031323334353637383961626364656680ea30356e6561726475702f312073746174652034203030313132"
      "323333343435353636373738383939616162626363646465656666203930366e6561726475702f312073746174"
      "652035203030313132323333343435353636373738383939616162626363646465656666203430300a646f6373"
      "20302031300a13646f637320302032300a646f6373203120300a02241a28b52ffd201ad1000003070705646f63"
      "2d370002ef0703030805646f632d380002f007";
  std::string bytes;
  for (std::size_t at = 0; at < kDigits.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(kDigits.substr(at, 2)), nullptr, 16));
  }
  StoredBatch batch = some_batch();
  batch.flags = {test_flag(7), test_flag(8, Status::kEmpty)};
  const auto back = decode_batch(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(all_encoded(back->flags), all_encoded(batch.flags));
  EXPECT_EQ(back->after, batch.after);
  EXPECT_EQ(back->to, batch.to);
  EXPECT_TRUE(back->traces.empty());
}

// Of each version.
class CutOrAltered : public testing::TestWithParam<StoredBatch (*)()> {
 protected:
  const std::string bytes_ = bytes_of(GetParam()());
};
INSTANTIATE_TEST_SUITE_P(StoredBatch, CutOrAltered,
                         testing::Values(
                             some_batch, traced_batch, [] { return with_urls(some_batch()); },
                             [] { return with_urls(traced_batch()); },
                             [] { return with_text_bytes(some_batch()); },
                             [] { return with_text_bytes(with_urls(traced_batch())); }));

TEST_P(CutOrAltered, ACutOffOneIsNone) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_FALSE(decode_batch(std::string_view(bytes_).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_batch(bytes_ + '\0'));
}

TEST_P(CutOrAltered, AnAlteredOneIsAnotherOneOrNone) {
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const int change : {1, 2, 16, 128, 255}) {
      std::string altered = bytes_;
      altered[at] = static_cast<char>(altered[at] ^ change);
      const auto back = decode_batch(altered);
      if (!back) continue;
      // A zstd frame can say the same in other bytes.
      const auto again = decode_batch(bytes_of(*back));
      ASSERT_TRUE(again) << at << "^" << change;
      EXPECT_EQ(bytes_of(*again), bytes_of(*back));
    }
  }
}

TEST(StoredBatch, ACountThatIsNotThatOfTheFlagsIsRefused) {
  StoredBatch batch = some_batch();
  const std::string flags = all_encoded(batch.flags);
  batch.flags.pop_back();
  EXPECT_FALSE(decode_batch(encode_batch(batch, flags)));
  batch.flags.resize(batch.flags.size() + 2);
  EXPECT_FALSE(decode_batch(encode_batch(batch, flags)));
}

}  // namespace
}  // namespace neardup::TEST_FILE
