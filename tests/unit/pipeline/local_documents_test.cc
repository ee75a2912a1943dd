#include "pipeline/local_documents.h"

#include <gtest/gtest.h>

#include <memory>

#include "pipeline/resolve.h"
#include "storage/memory_store.h"
#include "tests/unit/pipeline/batches.h"
#include "tests/unit/pipeline/documents.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::string_view kA = "aaaabbbbccccdddd";
constexpr std::string_view kNearA = "aaaabbbbccccddxx";
constexpr std::string_view kOther = "xxxxyyyyzzzzwwww";

// Documents that are only asked about, of a store that a resolver has filled.
class AskedOnly : public testing::Test {
 protected:
  AskedOnly() : store_(open_memory_store({}, OpenMode::kReadWrite)) {
    resolve(BatchMaker(rule_).document("a", kA).document("other", kOther).take());
  }

  std::vector<Flag> resolve(const SketchedBatch& batch) {
    std::vector<Flag> flags;
    resolver_.resolve(batch, flags);
    commit_batch(resolver_, *store_);
    return flags;
  }
  SketchedBatch asked() const {
    return BatchMaker(rule_)
        .document("new", kNearA)
        .document("copy", kA)
        .document("a", kNearA)
        .take();
  }
  static void expect_answers(LocalDocuments& known, const SketchedBatch& batch) {
    known.prepare(batch);
    EXPECT_FALSE(known.version(0).has_value());
    EXPECT_FALSE(known.same_content(0).has_value());
    ASSERT_TRUE(known.best_original(0).has_value());
    EXPECT_EQ(known.best_original(0)->seq, 1u);
    ASSERT_TRUE(known.same_content(1).has_value());
    EXPECT_EQ(known.same_content(1)->id, "a");
    ASSERT_TRUE(known.version(2).has_value());
    EXPECT_EQ(known.version(2)->seq, 1u);
    EXPECT_EQ(known.similarity(2, *known.version(2)), known.best_original(0)->similarity);
    EXPECT_EQ(known.version(IdKey{"", "other"})->seq, 2u);
    EXPECT_FALSE(known.version(IdKey{"elsewhere", "other"}).has_value());
  }

  Rule rule_ = small_rule();
  std::unique_ptr<Store> store_;
  Resolver resolver_{rule_, {}, {}, KeepTexts::kNone, *store_};
};

TEST_F(AskedOnly, AreAnsweredByTheResolverBetweenTwoChunks) {
  expect_answers(resolver_.known(), asked());
}

TEST_F(AskedOnly, AreAnsweredOverAStoreWithoutAResolver) {
  Tombstones tombstones;
  Pending pending(tombstones);
  SketchCache sketches(rule_.plan.shape().sketch_words(), 0);
  RowCache rows(*store_, sketches, tombstones, 1 << 20);
  LocalDocuments known(rule_, {}, {}, *store_, pending, tombstones, sketches, rows);
  expect_answers(known, asked());
}

TEST_F(AskedOnly, ChangeNeitherTheStoreNorLaterFlags) {
  const Seq next = resolver_.next_seq();
  expect_answers(resolver_.known(), asked());
  EXPECT_EQ(resolver_.next_seq(), next);
  EXPECT_EQ(store_->size().documents, 2u);
  const std::vector<Flag> flags =
      resolve(BatchMaker(rule_).document("new", kNearA).document("copy", kNearA).take());
  EXPECT_EQ(flags[0].seq, next);
  EXPECT_EQ(flags[0].status, Status::kNearDuplicate);
  EXPECT_EQ(flags[0].original->seq, 1u);
  EXPECT_EQ(flags[1].status, Status::kNearDuplicate);
  EXPECT_EQ(flags[1].original->seq, 1u);
}

TEST_F(AskedOnly, SeeWhatTheBatchHasPutSoFar) {
  std::vector<Flag> flags;
  const SketchedBatch chunk = BatchMaker(rule_).document("b", "mmmmnnnnoooopppp").take();
  resolver_.resolve(chunk, flags);
  const SketchedBatch question = BatchMaker(rule_).document("c", "mmmmnnnnooooppxx").take();
  resolver_.known().prepare(question);
  ASSERT_TRUE(resolver_.known().best_original(0).has_value());
  EXPECT_EQ(resolver_.known().best_original(0)->seq, flags[0].seq);
}

}  // namespace
}  // namespace neardup::TEST_FILE
