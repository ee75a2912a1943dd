#include "pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "gpu/backends.h"
#include "pipeline/prepare.h"
#include "storage/memory_store.h"

namespace neardup::TEST_FILE {
namespace {

// Texts one after the other; each record is a text.
class Texts : public Source {
 public:
  explicit Texts(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override {
    chunk.records.clear();
    std::uint64_t bytes = 0;
    while (next_ < texts_.size() && chunk.records.size() < max_records && bytes < max_bytes) {
      chunk.records.push_back({texts_[next_], {0, next_}});
      bytes += texts_[next_++].size();
    }
    return !chunk.records.empty();
  }
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }

 private:
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
};

class TextDecoder : public Decoder {
 public:
  Record decode(const RawRecord& raw, std::string_view& text) override {
    Record record;
    record.has_id = true;
    record.id = std::to_string(raw.source.place);
    record.source = raw.source;
    text = raw.bytes;
    return record;
  }
};

class Statuses : public Delivery {
 public:
  void add(const RawChunk&, std::vector<Flag>& flags) override {
    for (const Flag& flag : flags) statuses.push_back(flag.status);
  }
  void before_commit(WriteSet&) override {}
  void after_commit() override {}
  std::vector<Status> statuses;
};

// The CPU's rows, in calls of another size.
class Calls : public Backend {
 public:
  Calls(const SketchPlan& plan, CallSize size)
      : cpu_(make_backend({BackendName::kCpu, {}, {}}, plan)), size_(size) {}
  void sketch(const TextBatch& texts, std::span<const SketchTask> tasks,
              SketchRows& rows) override {
    const std::lock_guard lock(mutex_);
    if (!tasks.empty()) calls.push_back(tasks.size());
    cpu_->sketch(texts, tasks, rows);
  }
  std::string description() const override { return "calls"; }
  CallSize preferred_call() const override { return size_; }
  std::vector<std::size_t> calls;

 private:
  std::unique_ptr<Backend> cpu_;
  CallSize size_;
  std::mutex mutex_;
};

// Every third text is nearly the one before it.
std::vector<std::string> many_texts(int count) {
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    std::string text;
    for (int word = 0; word < 60; ++word) {
      text += "w" + std::to_string((i - (i % 3 == 0 ? 1 : 0)) * 100 + word) + " ";
    }
    texts.push_back(i % 3 == 0 ? text + "end" : text);
  }
  return texts;
}

struct Result {
  std::vector<std::size_t> calls;
  std::vector<Status> statuses;
};

Result run(CallSize size) {
  PipelineOptions options;
  options.rule.plan.bands = 16;
  options.rule.plan.rows = 6;
  options.batch.documents = 700;
  Calls backend(options.rule.plan, size);
  const auto store = open_memory_store({}, OpenMode::kReadWrite);
  Statuses delivery;
  Pipeline pipeline(options, backend, *store, delivery);
  Texts source(many_texts(1500));
  const std::atomic<bool> never{false};
  pipeline.run(
      source, [] { return std::make_unique<TextDecoder>(); }, never, [](const PipelineCounts&) {});
  std::sort(backend.calls.begin(), backend.calls.end());
  return {backend.calls, delivery.statuses};
}

TEST(PipelineTest, texts_are_kept_as_they_came) {
  PipelineOptions options;
  options.keep_texts = KeepTexts::kAll;
  StorageOptions storage;
  storage.keep_texts = options.keep_texts;
  const auto store = open_memory_store(storage, OpenMode::kReadWrite);
  const auto backend = make_backend({BackendName::kCpu, {}, {}}, options.rule.plan);
  Statuses delivery;
  Pipeline pipeline(options, *backend, *store, delivery);
  Texts source({"The Cat, on the MAT.", "…", "the cat on the mat"});
  const std::atomic<bool> never{false};
  pipeline.run(
      source, [] { return std::make_unique<TextDecoder>(); }, never, [](const PipelineCounts&) {});
  EXPECT_EQ(delivery.statuses,
            (std::vector{Status::kUnique, Status::kEmpty, Status::kExactDuplicate}));
  EXPECT_EQ(store->text(1), "The Cat, on the MAT.");
  EXPECT_EQ(store->text(2), std::nullopt);
  EXPECT_EQ(store->text(3), "the cat on the mat");
}

TEST(PipelineTest, calls_are_as_large_as_the_backend_likes_and_change_no_flag) {
  const Result small = run({100, 1 << 20});
  EXPECT_EQ(small.calls, std::vector<std::size_t>(15, 100));
  const Result large = run({4096, 1 << 24});
  EXPECT_EQ(large.calls, (std::vector<std::size_t>{100, 700, 700}));  // batches end calls
  const Result by_bytes = run({4096, 2000});
  EXPECT_GT(by_bytes.calls.size(), 200u);
  EXPECT_EQ(large.statuses, small.statuses);
  EXPECT_EQ(by_bytes.statuses, small.statuses);
  EXPECT_EQ(std::count(small.statuses.begin(), small.statuses.end(), Status::kNearDuplicate), 499);
}

TEST(PipelineTest, prepared_chunks_after_a_run_get_the_flags_of_one_run) {
  PipelineOptions options;
  options.rule.plan.bands = 16;
  options.rule.plan.rows = 6;
  options.batch.documents = 700;
  Calls backend(options.rule.plan, {100, 1 << 20});
  const auto store = open_memory_store({}, OpenMode::kReadWrite);
  Statuses delivery;
  Pipeline pipeline(options, backend, *store, delivery);
  const std::vector<std::string> texts = many_texts(1500);
  Texts first({texts.begin(), texts.begin() + 900});
  const std::atomic<bool> never{false};
  pipeline.run(
      first, [] { return std::make_unique<TextDecoder>(); }, never, [](const PipelineCounts&) {});
  Preparer preparer(options.rule, SimdLevel::kAuto, std::make_unique<TextDecoder>(), backend);
  Texts all(texts);
  Chunk chunk;
  all.read(900, ~std::uint64_t{0}, chunk.raw);
  while (all.read(7, ~std::uint64_t{0}, chunk.raw)) {
    preparer.prepare(chunk.raw, chunk.sketched);
    pipeline.decide_batch(chunk);
    EXPECT_EQ(store->meta("next_seq"), std::to_string(delivery.statuses.size() + 1));
  }
  EXPECT_EQ(delivery.statuses, run({100, 1 << 20}).statuses);
}

// Two chunks of one batch; the second one comes when the test lets it.
class HeldBack : public Source {
 public:
  bool read(std::size_t, std::uint64_t, RawChunk& chunk) override {
    if (given_ == 1) let_.get_future().wait();
    chunk.records = {{text_, {0, given_}}};
    return given_++ < 2;
  }
  std::vector<std::pair<std::string, std::string>> positions() override { return {}; }
  void let_go() { let_.set_value(); }

 private:
  const std::string text_ = "one two three four five six seven";
  std::uint64_t given_ = 0;
  std::promise<void> let_;
};

TEST(PipelineTest, reads_are_answered_within_a_batch_as_of_the_last_commit) {
  PipelineOptions options;
  options.rule.plan.bands = 16;
  options.rule.plan.rows = 6;
  Calls backend(options.rule.plan, {100, 1 << 20});
  const auto store = open_memory_store({}, OpenMode::kReadWrite);
  Statuses delivery;
  Pipeline pipeline(options, backend, *store, delivery);
  StateTasks reads(4);
  pipeline.answer_reads(reads);
  HeldBack source;
  std::promise<void> decided;
  std::thread reader([&] {
    decided.get_future().wait();
    const auto outcome = reads.run(
        [&](StateAccess& state) {
          EXPECT_EQ(delivery.statuses.size(), 1u);
          EXPECT_EQ(state.store().meta("next_seq"), std::nullopt);
        },
        std::chrono::seconds(60));
    EXPECT_EQ(outcome, StateTasks::Outcome::kDone);
    source.let_go();
  });
  const std::atomic<bool> never{false};
  bool told = false;
  pipeline.run(
      source, [] { return std::make_unique<TextDecoder>(); }, never,
      [&](const PipelineCounts&) {
        if (!std::exchange(told, true)) decided.set_value();
      });
  reader.join();
  EXPECT_EQ(store->meta("next_seq"), "3");
  EXPECT_EQ(reads.run([](StateAccess&) { FAIL(); }, std::chrono::seconds(1)),
            StateTasks::Outcome::kClosed);
}

TEST(TimeShareTest, is_used_up_and_earned_again) {
  using std::chrono::milliseconds;
  TimeShare share(kOne / 4, milliseconds(20));
  EXPECT_TRUE(share.is_left());
  share.took(milliseconds(25));
  EXPECT_FALSE(share.is_left());
  share.others_took(milliseconds(15));
  EXPECT_FALSE(share.is_left());
  share.others_took(milliseconds(3));
  EXPECT_TRUE(share.is_left());
  share.others_took(milliseconds(1'000'000));
  share.took(milliseconds(20));
  EXPECT_FALSE(share.is_left()) << "no more than 20 ms are saved";
}

TEST(TimeShareTest, is_that_part_of_all_the_time) {
  using std::chrono::milliseconds;
  for (const Ppm part : {kOne / 100, kOne / 2, kOne / 10 * 9}) {
    TimeShare share(part, milliseconds(20));
    milliseconds taken{0};
    milliseconds all{0};
    while (all < milliseconds(100'000)) {
      all += milliseconds(1);
      if (share.is_left()) {
        share.took(milliseconds(1));
        taken += milliseconds(1);
      } else {
        share.others_took(milliseconds(1));
      }
    }
    EXPECT_NEAR(1e6 * static_cast<double>(taken.count()) / static_cast<double>(all.count()), part,
                1e3);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
