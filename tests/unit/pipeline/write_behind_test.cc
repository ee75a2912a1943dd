// The rows of a batch are written while the next batch is decided.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "gpu/backends.h"
#include "pipeline/base/failure.h"
#include "pipeline/pipeline.h"
#include "tests/unit/pipeline/forwarding_store.h"

namespace neardup::TEST_FILE {
namespace {

constexpr std::size_t kBatch = 10;

// Writes of commits end when the test says so.
class HeldStore : public ForwardingStore {
 public:
  ~HeldStore() override { finish_commit(); }
  void begin_commit(const WriteSet& writes, std::function<void()> done) override {
    finish_commit();
    commit(writes);
    ended_ = false;
    ++begun;
    write_ = std::async(std::launch::async, [this, done = std::move(done)] {
      release.get_future().wait();
      ended_ = true;
      done();
      if (fails) throw Failure(Exit::kIo, "the disk is gone");
    });
  }
  bool commit_has_ended() override { return !write_.valid() || ended_; }
  void finish_commit() override {
    if (!write_.valid()) return;
    std::future<void> write = std::move(write_);
    write.get();
    release = {};
  }

  std::promise<void> release;
  bool fails = false;
  std::atomic<int> begun = 0;

 private:
  std::future<void> write_;
  std::atomic<bool> ended_ = false;
};

// Texts of their own, until it is told to end.
class Endless : public Source {
 public:
  bool read(std::size_t max_records, std::uint64_t, RawChunk& chunk) override {
    chunk.records.clear();
    if (interrupted_) return false;
    for (std::size_t i = 0; i < std::min(max_records, kBatch); ++i, ++next_) {
      if (next_ == most) return !chunk.records.empty();
      chunk.records.push_back({"text", {0, next_}});
    }
    return true;
  }
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }
  void interrupt() override { interrupted_ = true; }
  std::uint64_t most = 2 * kBatch;

 private:
  std::uint64_t next_ = 0;
  std::atomic<bool> interrupted_ = false;
};

class PlaceDecoder : public Decoder {
 public:
  Record decode(const RawRecord& raw, std::string_view& text) override {
    Record record;
    record.has_id = true;
    record.id = std::to_string(raw.source.place);
    record.source = raw.source;
    text_ = "text number " + record.id;
    text = text_;
    return record;
  }

 private:
  std::string text_;
};

// Counts what comes, and lets the first write end once the second batch is decided.
class Counting : public Delivery {
 public:
  explicit Counting(HeldStore& store) : store_(store) {}
  void add(const RawChunk&, std::vector<Flag>& flags) override {
    added += flags.size();
    if (added != 2 * kBatch || store_.begun != 1) return;
    EXPECT_EQ(delivered, 0u) << "its write has not returned";
    EXPECT_FALSE(store_.commit_has_ended());
    decided_ahead = true;
    store_.release.set_value();
  }
  void before_commit(WriteSet&) override {
    EXPECT_EQ(delivered, complete) << "at most one batch is behind";
    ++complete;
    if (complete > 1) store_.release.set_value();
  }
  void after_commit() override { ++delivered; }

  std::size_t added = 0;
  std::size_t complete = 0;
  std::size_t delivered = 0;
  bool decided_ahead = false;

 private:
  HeldStore& store_;
};

class WriteBehind : public testing::Test {
 protected:
  void run() {
    PipelineOptions options;
    options.batch.documents = kBatch;
    const auto backend = make_backend({BackendName::kCpu, {}, {}}, options.rule.plan);
    Pipeline pipeline(options, *backend, store_, delivery_);
    const std::atomic<bool> never{false};
    pipeline.run(
        source_, [] { return std::make_unique<PlaceDecoder>(); }, never,
        [](const PipelineCounts&) {});
  }

  HeldStore store_;
  Counting delivery_{store_};
  Endless source_;
};

TEST_F(WriteBehind, TheNextBatchIsDecidedAndNothingIsDeliveredBeforeItsWriteHasReturned) {
  run();
  EXPECT_TRUE(delivery_.decided_ahead);
  EXPECT_EQ(delivery_.added, 2 * kBatch);
  EXPECT_EQ(delivery_.complete, 3u);  // an empty one at the end
  EXPECT_EQ(delivery_.delivered, 3u);
  EXPECT_EQ(store_.size().documents, 2 * kBatch);
}

TEST_F(WriteBehind, AFailedWriteEndsTheRunAndDeliversNothing) {
  store_.fails = true;
  EXPECT_THROW(run(), Failure);
  EXPECT_TRUE(delivery_.decided_ahead);
  EXPECT_EQ(delivery_.delivered, 0u);
}

}  // namespace
}  // namespace neardup::TEST_FILE
