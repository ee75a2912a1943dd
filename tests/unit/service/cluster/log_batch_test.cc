#include <gtest/gtest.h>

#include "service/cluster/chunk_encoder.h"
#include "service/cluster/log_decoder.h"
#include "tests/unit/service/cluster/random_batch.h"

namespace neardup::TEST_FILE {
namespace {

const SourceRange kRange{{"docs", 3}, 100, 1'000'000};

class LogBatch : public testing::Test {
 protected:
  // As a reader of the log does it: the same message for each chunk.
  void read_into(SketchedBatch& batch) {
    for (const EncodedChunk& chunk : chunks_) {
      ASSERT_EQ(decoder_.decode(chunk.message, message_), LogOutcome::kChunk);
      append(std::move(message_.chunk.batch), batch);
    }
  }

  void expect_texts(const SketchedBatch& batch) {
    ASSERT_EQ(batch.size(), wanted_.size());
    ASSERT_EQ(batch.texts.size(), wanted_.size());
    EXPECT_EQ(batch.raw_texts.size(), 0U);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (wanted_.records[i].kind != RecordKind::kDocument) continue;
      EXPECT_EQ(batch.kept_text(i), wanted_.texts.text(i));
    }
  }

  const Rule rule_ = exact_rule();
  const SketchedBatch wanted_ = RandomBatch(rule_, 1).make(600, 100);
  const std::vector<EncodedChunk> chunks_ = ChunkEncoder(rule_, kCluster).encode(kRange, wanted_);
  LogDecoder decoder_{rule_, kCluster};
  LogMessage message_;
};

TEST_F(LogBatch, ChunksAreJoinedInTheirOrder) {
  ASSERT_GE(chunks_.size(), 2U);
  SketchedBatch batch;
  read_into(batch);
  expect_texts(batch);
}

TEST_F(LogBatch, AMessageWhoseChunkWasTakenCanBeUsedAgain) {
  SketchedBatch first, second;
  read_into(first);
  read_into(second);
  expect_texts(first);
  expect_texts(second);
}

}  // namespace
}  // namespace neardup::TEST_FILE
