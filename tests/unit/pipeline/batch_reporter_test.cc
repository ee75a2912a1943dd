#include "pipeline/batch_reporter.h"

#include <gmock/gmock.h>

#include <optional>

#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

// b has 13 of a's 16 values: what is needed.
constexpr std::string_view kA = "aaaabbbbccccdddd";
constexpr std::string_view kB = "xyzabbbbccccdddd";
constexpr std::string_view kOther = "qqqqrrrrsssstttt";

class Recorder : public PipelineProbe {
 public:
  void batch_stored(const StoredBatchReport& batch) override { batches.push_back(batch); }
  void state_stands(std::uint64_t last_seq, std::int64_t time_ms) override {
    seqs.push_back(last_seq);
    times_ms.push_back(time_ms);
  }

  std::vector<StoredBatchReport> batches;
  std::vector<std::uint64_t> seqs;
  std::vector<std::int64_t> times_ms;
};

class NoBackend : public Backend {
 public:
  void sketch(const TextBatch&, std::span<const SketchTask>, SketchRows&) override {}
  std::string description() const override { return "none"; }
  BackendReport report() const override {
    BackendReport report;
    report.times.copy_in_seconds = ++asked_;
    report.times.copy_out_seconds = 1;
    return report;
  }

 private:
  mutable int asked_ = 0;
};

class Reporter : public testing::Test {
 protected:
  // What the maker holds, as a chunk of the batch.
  void decide() {
    Chunk chunk;
    chunk.sketched = maker_.take();
    chunk.sketched.input_bytes = 1000;
    chunk.sketched.records.front().notices.add(NoticeKind::kReplacedBytes);
    chunk.times.sketch = std::chrono::milliseconds(30);
    std::vector<Flag> flags;
    resolver_.resolve(chunk.sketched, flags);
    reporter_.chunk_decided(chunk, flags);
  }

  void end_batch() {
    commit_batch(resolver_, *store_);
    reporter_.batch_decided();
    reporter_.batch_stored(std::chrono::milliseconds(20));
  }

  double seconds(std::size_t batch, BatchStage stage) const {
    return probe_.batches[batch].seconds[static_cast<std::size_t>(stage)];
  }

  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  Rule rule_ = small_rule();
  BatchMaker maker_{rule_};
  Resolver resolver_{rule_, FilterOptions{}, CpuOptions{}, KeepTexts::kNone, *store_};
  NoBackend backend_;
  Recorder probe_;
  BatchReporter reporter_{probe_, resolver_, backend_};
};

template <std::size_t size, class Kind>
std::uint64_t of(const std::array<std::uint64_t, size>& counts, Kind kind) {
  return counts[static_cast<std::size_t>(kind)];
}

TEST_F(Reporter, CountsDocumentsAndBytesByStatusSinceTheStart) {
  maker_.document("a", kA).document("b", kB).document("copy", kA).rejected("r");
  decide();
  end_batch();
  maker_.document("other", kOther);
  decide();
  end_batch();
  ASSERT_EQ(probe_.batches.size(), 2u);
  const StoredBatchReport& first = probe_.batches[0];
  EXPECT_EQ(of(first.documents, Status::kUnique), 1u);
  EXPECT_EQ(of(first.documents, Status::kNearDuplicate), 1u);
  EXPECT_EQ(of(first.documents, Status::kExactDuplicate), 1u);
  EXPECT_EQ(of(first.documents, Status::kRejected), 1u);
  EXPECT_EQ(of(first.text_bytes, Status::kUnique), kA.size());
  EXPECT_EQ(first.batch_documents, 4u);
  EXPECT_EQ(first.batch_duplicates, 2u);
  EXPECT_EQ(first.similarities.total(), 1u);
  const StoredBatchReport& second = probe_.batches[1];
  EXPECT_EQ(of(second.documents, Status::kUnique), 2u);
  EXPECT_EQ(second.batch_documents, 1u);
  EXPECT_EQ(second.batch_duplicates, 0u);
  EXPECT_EQ(second.similarities.total(), 0u);
  EXPECT_EQ(second.input_bytes, 2000u);
  EXPECT_EQ(of(first.notices, NoticeKind::kReplacedBytes), 1u);
  EXPECT_EQ(of(second.notices, NoticeKind::kReplacedBytes), 1u);
  EXPECT_EQ(of(second.notices, NoticeKind::kUtf16), 0u);
}

TEST_F(Reporter, StepsOfCandidatesAndSizesOfBucketsAreThoseOfTheLookUps) {
  maker_.document("a", kA);
  decide();
  end_batch();
  maker_.document("b", kB);
  decide();
  end_batch();
  // Three of b's four buckets hold a.
  EXPECT_EQ(probe_.batches[1].candidates, (std::array<std::uint64_t, 5>{1, 1, 1, 1, 1}));
  EXPECT_EQ(probe_.batches[1].bucket_sizes[0], 1u);
  EXPECT_EQ(probe_.batches[1].bucket_sizes[1], 3u);
  EXPECT_EQ(probe_.batches[1].bucket_postings, 3u);
  EXPECT_EQ(probe_.batches[0].bucket_sizes[0], 4u) << "of the first batch alone";
}

TEST_F(Reporter, TimesAreOfTheBatch) {
  maker_.document("a", kA);
  decide();
  maker_.document("b", kB);
  decide();
  end_batch();
  maker_.document("other", kOther);
  decide();
  end_batch();
  EXPECT_DOUBLE_EQ(seconds(0, BatchStage::kSketch), 0.06);
  EXPECT_DOUBLE_EQ(seconds(1, BatchStage::kSketch), 0.03);
  EXPECT_DOUBLE_EQ(seconds(0, BatchStage::kWrite), 0.02);
  EXPECT_DOUBLE_EQ(seconds(0, BatchStage::kTransfer), 2);
  EXPECT_DOUBLE_EQ(seconds(1, BatchStage::kTransfer), 1);
  EXPECT_GT(seconds(1, BatchStage::kVerify), 0);
  EXPECT_LT(seconds(1, BatchStage::kVerify), 5);
}

TEST_F(Reporter, TellsWhereTheStateStands) {
  maker_.document("a", kA).at_time(5000);
  decide();
  end_batch();
  EXPECT_THAT(probe_.seqs, testing::ElementsAre(0, 1));
  EXPECT_THAT(probe_.times_ms, testing::ElementsAre(0, 5000));
}

}  // namespace
}  // namespace neardup::TEST_FILE
