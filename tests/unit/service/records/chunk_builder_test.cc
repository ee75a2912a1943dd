#include "service/records/chunk_builder.h"

#include <gtest/gtest.h>

#include <memory>

#include "pipeline/model/text_batch.h"
#include "tests/unit/service/records/message_support.h"

namespace neardup::TEST_FILE {
namespace {

bool lies_in(std::string_view part, const std::string& buffer) {
  return part.data() >= buffer.data() && part.data() + part.size() <= buffer.data() + buffer.size();
}

class Chunks : public testing::Test {
 protected:
  Chunks() {
    messages_.push_back(std::make_unique<TestMessage>(
        "key", "value", std::vector<RawHeader>{{"a", "1"}, {"", ""}, {"a", std::nullopt}}));
    messages_.push_back(std::make_unique<TestMessage>(std::nullopt, std::nullopt));
    messages_.push_back(std::make_unique<TestMessage>("", "", std::vector<RawHeader>{{"b", "2"}}));
    messages_.push_back(std::make_unique<TestMessage>("k", std::string(5000, 'x')));
    for (std::size_t i = 0; i < messages_.size(); ++i) messages_[i]->raw.source.place = 41 + i;
    messages_[3]->raw.too_large = true;
  }

  std::vector<std::unique_ptr<TestMessage>> messages_;
};

TEST_F(Chunks, OwnEverythingOfTheirRecords) {
  RawChunk chunk;
  ChunkBuilder builder(chunk);
  for (const auto& message : messages_) builder.add(message->raw);
  builder.seal();
  ASSERT_EQ(chunk.records.size(), messages_.size());
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const RawRecord& record = chunk.records[i];
    expect_same(record, messages_[i]->raw);
    EXPECT_TRUE(lies_in(record.bytes, chunk.buffer));
    EXPECT_TRUE(!record.key || lies_in(*record.key, chunk.buffer));
    for (const RawHeader& header : record.headers) {
      EXPECT_TRUE(lies_in(header.name, chunk.buffer));
      EXPECT_TRUE(!header.value || lies_in(*header.value, chunk.buffer));
    }
  }
}

TEST_F(Chunks, MayBeReadPastTheEndOfAnyValue) {
  RawChunk chunk;
  ChunkBuilder builder(chunk);
  builder.add(messages_[2]->raw);
  builder.seal();
  const std::string_view bytes = chunk.records[0].bytes;
  EXPECT_TRUE(lies_in({bytes.data(), bytes.size() + kTextPadding}, chunk.buffer));
}

TEST_F(Chunks, AreEmptiedForNewRecords) {
  RawChunk chunk;
  for (int round = 0; round < 2; ++round) {
    ChunkBuilder builder(chunk);
    EXPECT_TRUE(chunk.records.empty() && chunk.headers.empty() && chunk.buffer.empty());
    EXPECT_FALSE(chunk.ends_batch);
    builder.add(messages_[0]->raw);
    builder.seal();
    chunk.ends_batch = true;
  }
  EXPECT_EQ(chunk.records.size(), 1);
}

}  // namespace
}  // namespace neardup::TEST_FILE
