#include "pipeline/retention/retention.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "pipeline/state_keys.h"
#include "storage/memory_store.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// A stream of documents of which each is its own batch, or several are.
class Stream {
 public:
  explicit Stream(const RetentionOptions& options)
      : options_(options),
        store_(open_memory_store({}, OpenMode::kReadWrite)),
        time_(options.max_step_ms) {
    open();
  }

  // As a new process.
  void open() {
    tombstones_.emplace();
    retention_.emplace(options_, *store_, *tombstones_);
  }

  // A record arrives: the watermark at which it is decided.
  Seq arrive(std::int64_t ts_ms = 0) {
    time_.advance(ts_ms);
    retention_->advance(++seq_, time_);
    return tombstones_->expired_before();
  }
  // It stays, with or without (0) a document.
  void keep(std::uint32_t bytes) {
    DocumentRow row;
    row.seq = seq_;
    row.id = std::to_string(seq_);
    row.time_ms = time_.now_ms();
    row.text_bytes = bytes;
    IdRow id{.seq = seq_, .time_ms = row.time_ms, .has_document = bytes != 0};
    retention_->add({seq_, row.time_ms, bytes});
    writes_.ids.push_back({{"", row.id}, id});
    if (bytes != 0) writes_.documents.push_back({row, {}, {}});
  }
  void document(std::uint32_t bytes, std::int64_t ts_ms = 0) {
    arrive(ts_ms);
    keep(bytes);
  }
  // A live document leaves.
  void end(Seq seq, std::uint32_t bytes) {
    tombstones_->add({.seq = seq, .text_bytes = bytes});
    const auto in_batch = [seq](const auto& put) { return put.row.seq == seq; };
    std::erase_if(writes_.ids, [seq](const auto& put) { return put.second.seq == seq; });
    if (std::erase_if(writes_.documents, in_batch) != 0) return;
    writes_.erase_documents.push_back(seq);
    writes_.erase_ids.push_back(
        {{"", std::to_string(seq)}, {.seq = seq, .has_document = bytes != 0}});
  }
  void commit() {
    const Seq watermark = tombstones_->expired_before();
    writes_.expired_before = watermark;
    std::erase_if(writes_.ids, [&](const auto& put) { return put.second.seq < watermark; });
    std::erase_if(writes_.documents, [&](const auto& put) { return put.row.seq < watermark; });
    retention_->fill(writes_);
    store_->commit(writes_);
    writes_.clear();
    retention_->committed();
    tombstones_->committed();
  }

  Store& store() { return *store_; }
  Seq seq() const { return seq_; }
  const StreamTime& time() const { return time_; }

 private:
  RetentionOptions options_;
  std::unique_ptr<Store> store_;
  StreamTime time_;
  std::optional<Tombstones> tombstones_;
  std::optional<Retention> retention_;
  WriteSet writes_;
  Seq seq_ = 0;
};

TEST(Retention, without_limits_nothing_goes_and_nothing_is_stored) {
  Stream stream({});
  for (int i = 0; i < 10; ++i) stream.document(1'000'000, 1'000'000'000'000 * i);
  EXPECT_EQ(stream.arrive(), 0u);
  WriteSet writes;
  Tombstones tombstones;
  Retention(RetentionOptions{}, stream.store(), tombstones).fill(writes);
  EXPECT_THAT(writes.meta, IsEmpty());
}

TEST(Retention, a_document_lives_until_it_is_older_than_max_age) {
  Stream stream({.max_age_ms = 5'000});
  stream.document(1, 100'000);
  stream.document(1, 101'000);
  EXPECT_EQ(stream.arrive(105'000), 0u);
  EXPECT_EQ(stream.arrive(105'001), 2u);
  EXPECT_EQ(stream.arrive(106'000), 2u);
  EXPECT_EQ(stream.arrive(106'001), 3u);
  EXPECT_EQ(stream.arrive(1), 3u);
}

TEST(Retention, the_last_max_documents_arrivals_before_a_record_stay) {
  Stream stream({.max_documents = 3});
  for (const Seq watermark : {0, 0, 0, 1, 2, 3}) EXPECT_EQ(stream.arrive(), watermark);
  stream.commit();
  stream.open();
  EXPECT_EQ(stream.arrive(), 4u);
}

TEST(Retention, the_oldest_go_until_the_rest_has_max_bytes) {
  Stream stream({.max_bytes = 10});
  stream.document(4);
  stream.document(6);
  EXPECT_EQ(stream.arrive(), 0u);
  stream.keep(0);  // an id without a document
  stream.document(1);
  EXPECT_EQ(stream.arrive(), 2u);
  stream.keep(5);
  EXPECT_EQ(stream.arrive(), 3u);
  stream.keep(11);
  EXPECT_EQ(stream.arrive(), 7u) << "more than all that may stay";
}

TEST(Retention, what_ends_early_is_not_counted_any_more) {
  Stream stream({.max_bytes = 10});
  stream.document(4);
  stream.document(4);
  stream.commit();
  stream.document(2);
  stream.end(2, 4);  // of the store
  stream.end(3, 2);  // of the batch
  stream.document(6);
  EXPECT_EQ(stream.arrive(), 0u);
  stream.keep(1);
  EXPECT_EQ(stream.arrive(), 2u);
  stream.keep(6);
  EXPECT_EQ(stream.arrive(), 5u);
}

TEST(Retention, erasing_elsewhere_is_taken_from_the_sum) {
  Stream stream({.max_bytes = 10});
  stream.document(4);
  stream.document(6);
  stream.commit();
  WriteSet writes;
  writes.erase_documents = {1};
  writes.erase_ids = {{{"", "1"}, {.seq = 1}}};
  count_erased(stream.store(), writes);
  EXPECT_THAT(writes.meta, ElementsAre(Pair(kMetaTextBytes, "6")));
  stream.store().commit(writes);
  stream.open();
  stream.document(4);
  EXPECT_EQ(stream.arrive(), 0u);
  stream.keep(1);
  EXPECT_EQ(stream.arrive(), 3u);
}

TEST(Retention, where_bytes_are_not_counted_erasing_says_nothing) {
  Stream stream({.max_documents = 10});
  stream.document(4);
  stream.commit();
  WriteSet writes;
  writes.erase_documents = {1};
  count_erased(stream.store(), writes);
  EXPECT_THAT(writes.meta, IsEmpty());
}

// The rules at their plainest.
class Model {
 public:
  explicit Model(const RetentionOptions& options) : options_(options) {}

  void arrive(Seq seq, const StreamTime& time) {
    while (!live_.empty() && goes(live_.begin()->second, seq, time)) {
      last_gone_ = live_.begin()->first;
      erase(live_.begin());
    }
  }
  void keep(const Age& age) {
    live_[age.seq] = age;
    bytes_ += age.text_bytes;
  }
  void erase(std::map<Seq, Age>::const_iterator at) {
    bytes_ -= at->second.text_bytes;
    live_.erase(at);
  }
  const std::map<Seq, Age>& live() const { return live_; }
  Seq last_gone() const { return last_gone_; }  // by age
  Seq first_live(Seq otherwise) const { return live_.empty() ? otherwise : live_.begin()->first; }

 private:
  bool goes(const Age& oldest, Seq seq, const StreamTime& time) const {
    if (options_.max_bytes != 0 && bytes_ > options_.max_bytes) return true;
    if (options_.max_documents != 0 && oldest.seq + options_.max_documents < seq) return true;
    const std::int64_t age = time.now_ms() - oldest.time_ms;
    return options_.max_age_ms != 0 && age > static_cast<std::int64_t>(options_.max_age_ms);
  }
  RetentionOptions options_;
  std::map<Seq, Age> live_;
  std::uint64_t bytes_ = 0;
  Seq last_gone_ = 0;
};

void compare(const RetentionOptions& options, int batch, unsigned seed) {
  Stream stream(options);
  Model model(options);
  std::mt19937 random(seed);
  std::int64_t now = 1'000'000;
  for (int i = 0; i < 8'000; ++i) {
    now += random() % 100;
    const Seq watermark = stream.arrive(now);
    model.arrive(stream.seq(), stream.time());
    // Where the watermark stands among seqs that are gone does not matter.
    ASSERT_LE(model.last_gone() + 1, std::max<Seq>(watermark, 1))
        << "at " << i << ", seed " << seed;
    ASSERT_LE(watermark, model.first_live(stream.seq())) << "at " << i << ", seed " << seed;
    if (random() % 4 == 0 && !model.live().empty()) {
      const auto some = model.live().lower_bound(stream.seq() - random() % 3'000);
      if (some != model.live().end() && some->second.text_bytes != 0) {
        stream.end(some->first, some->second.text_bytes);
        model.erase(some);
      }
    }
    if (const auto kind = random() % 3; kind != 0) {
      const auto bytes = static_cast<std::uint32_t>(kind == 1 ? 1 + random() % 100 : 0);
      stream.keep(bytes);
      model.keep({stream.seq(), stream.time().now_ms(), bytes});
    }
    if (i % batch == batch - 1) stream.commit();
    if (i % (3 * batch) == 3 * batch - 1) stream.open();
  }
}

TEST(Retention, follows_the_rules_whatever_the_batch_size) {
  const std::vector<RetentionOptions> many = {{.max_age_ms = 150'000},
                                              {.max_documents = 1'500},
                                              {.max_bytes = 30'000},
                                              {.max_age_ms = 80'000, .max_documents = 1'800},
                                              {.max_age_ms = 100, .max_bytes = 40},
                                              {.max_documents = 2'500, .max_bytes = 25'000}};
  unsigned seed = 20260501;
  for (const RetentionOptions& options : many) {
    for (const int batch : {1, 7, 1'000, 3'000, 100'000}) {
      SCOPED_TRACE(batch);
      compare(options, batch, ++seed);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
